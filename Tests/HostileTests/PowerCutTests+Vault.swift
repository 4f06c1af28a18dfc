import Lab
import Testing

extension HostileTests.PowerCutTests {
  @Test(arguments: Drive.FileSystem.measured)
  func
    `whatever a vault has answered is so after a power cut, with its receipt and the mark beside its store, and the books are in order`(
      fileSystem: Drive.FileSystem
    ) async throws
  {
    try await withDrive(fileSystem) { drive in
      let user = drive.user("vault")
      let program = BumpCommand.program("VaultSteps")
      let vault = try await RunningProcess.start(user.prefix + [program, "do", "\(user.directory)/vault.sqlite"])
      var answers: [String] = []
      // The vault itself, two mints, three deposits, two claims, a refund and a sealed batch. After each claim the log
      // is copied to the file, and begun anew.
      for number in 0..<10 {
        answers.append(try await vault.line { [answers] in !answers.contains($0) })
        try drive.cut("\(number)")
        vault.type("\n")
      }
      let marked = try #require(answers.last?.wholeMatch(of: /batch (0x[0-9a-f]{64}), marked (.*)/))
      #expect(marked.1 == marked.2, "the mark beside a store names the last sealed batch")
      let ended = try await vault.finish()
      #expect(ended.status == 0 && ended.lines == answers, "\(ended)")
      for number in answers.indices {
        let read = try await drive.afterCut(
          "\(number)",
          { user in
            try await RunningProcess.start(user.prefix + [program, "read", "\(user.directory)/vault.sqlite"]).finish()
          }, of: user)
        #expect(read.status == 0 && read.lines == answers[...number] + ["sound"], "\(read)")
      }
    }
  }
}

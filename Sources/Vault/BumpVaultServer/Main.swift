#if Vault
  import ArgumentParser
  import BumpChain
  import BumpText
  import BumpVault
  import CSystemCalls
  import Dispatch
  import Glibc

  /// Runs the command. Prints errors as one line, `bump-vault: …`.
  @main enum Main {
    /// Looks at the arguments before there is a second thread: where there is no /proc, the threads of Dispatch may end
    /// the process before it can say why.
    static func main() {
      // Swift finds the arguments in the process's memory through /proc, beside the environment at the start of the
      // process.
      guard !CommandLine.arguments.isEmpty else {
        end(1, "the arguments cannot be read. Is /proc mounted? Does LD_PRELOAD name a library that sets variables?")
      }
      Task { await run() }
      dispatchMain()
    }

    private static func run() async -> Never {
      // A core dump would contain the key that signs receipts.
      guard bump_process_forbid_dumps() == 0 else {
        end(1, "core dumps of this process, which would contain its key, cannot be turned off")
      }
      signal(SIGPIPE, SIG_IGN)
      do {
        var command = try VaultCommand.parseAsRoot()
        if var command = command as? any AsyncParsableCommand { try await command.run() } else { try command.run() }
        exit(0)
      } catch let code as ExitCode {
        exit(code.rawValue)
      } catch let error as VaultStoreError {
        end(1, advised(error))
      } catch let error as ChainStoreError {
        end(1, VisibleText.ofMessage(error.description))
      } catch let error as Failure {
        end(error.status, error.message)
      } catch {
        report(error)
      }
    }

    /// Returns a store's error in one line. If the error needs the owner's statement, names the option for it.
    private static func advised(_ error: VaultStoreError) -> String {
      switch error.code {
      case .copied:
        "\(error.reason). Start `bump-vault serve` with --moved if nothing was lost and the old one is gone, else with --copied, which makes it another vault"
      case .outdated:
        "\(error.reason). Put the newer store back. If there is none, start `bump-vault serve` with --copied, which makes it another vault"
      default: error.description
      }
    }

    private static func report(_ error: any Error) -> Never {
      let code = VaultCommand.exitCode(for: error)
      guard code != .success else {
        print(VaultCommand.fullMessage(for: error))
        exit(0)
      }
      guard code == .validationFailure else { end(1, "\(error)") }
      let parsed = VaultCommand.message(for: error).split(whereSeparator: \.isNewline).joined(separator: " ")
      let message = MistypedOption.suggestingHelp(in: parsed)
      let stop = message.hasSuffix(".") || message.hasSuffix("?") ? "" : "."
      end(64, "\(message.prefix(1).lowercased())\(message.dropFirst())\(stop) See `bump-vault --help`")
    }

    private static func end(_ status: Int32, _ message: String) -> Never {
      ErrorStream.write(Array("bump-vault: \(message)\n".utf8))
      exit(status)
    }
  }

  /// The error stream, for the log and the final error.
  enum ErrorStream {
    /// Writes each line at once, so that lines of several threads do not mix.
    static func write(_ line: [UInt8]) {
      line.withUnsafeBytes { _ = Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
  }

  /// A failure with its message and exit status.
  struct Failure: Error {
    let status: Int32
    let message: String

    init(_ message: String, status: Int32 = 1) {
      (self.message, self.status) = (message, status)
    }

    /// Returns the failure for a wrong argument: EX_USAGE of sysexits.h.
    static func usage(_ message: String) -> Self { Self(message, status: 64) }
  }

  struct VaultCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "bump-vault", abstract: "Holds the money of claims that bump carries.",
      version: Version.current,
      subcommands: [
        ServeCommand.self, AuditCommand.self, ClockCommand.self, DeployCommand.self, ChainCommand.self,
      ])
  }

#else
  import Glibc

  /// Prints that this program was built without its server.
  @main enum Main {
    static func main() {
      tell()
      exit(1)
    }

    private static func tell() {
      let text =
        "bump-vault: built without its server. Build it with: swift build --traits Vault --product bump-vault\n"
      Array(text.utf8).withUnsafeBytes { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
  }
#endif

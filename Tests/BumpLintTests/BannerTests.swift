import Testing

@testable import BumpLint

/// The banner of pages that a generator or a server fills in.
@Suite struct BannerTests {
  private static let page = "sites/irl.app/index.html"

  private func findings(_ attributes: String) throws -> [String] {
    var project = SampleProject()
    try project.make(.write(Self.page, "<meta name=\"apple-itunes-app\" \(attributes)>"))
    return project.findings.map { "\($0.rule.id): \($0.what)" }
  }

  private static let placeholders = [
    "{{APP_ID}}", "{{ site.app_id }}", "{{{appId}}}", "<%= ENV['APP_ID'] %>", "<?php echo $id ?>", "<?= id(1, 2) ?>",
    "$APP_ID", "${APP_ID}", "$(APP_ID)", "%VITE_IOS_APP_ID%", "#{app_id}", "{% app_id %}", "{appId}", "[[${appId}]]",
    "__APP_ID__", "@APP_ID@", "@@APP_ID@@", "12{{SUFFIX}}",
  ]

  @Test(arguments: placeholders) func `a placeholder of a template is no wrong id`(placeholder: String) throws {
    #expect(try findings("content=\"app-id=\(placeholder)\"") == [])
    #expect(try findings("content=\"app-id=1234567890, app-clip-bundle-id=app.\(placeholder).Clip\"") == [])
    #expect(try findings("content=\"\(placeholder)\"") == [])
  }

  @Test(arguments: [
    "content=<%= banner %>", ":content=\"banner\"", "v-bind:content='banner'", "[content]=\"banner\"",
    "[attr.content]=\"banner\"", "th:content=\"${banner}\"",
  ]) func `a content that a script writes is not said to be wrong`(attribute: String) throws {
    #expect(try findings(attribute) == [])
  }

  @Test(arguments: [
    "APP_ID", "YOUR-APP-ID", "xyz.blueskyweb.app", "id1234567890", "100%", "$5", "_1_", "a@b.app", "{}", "%%", "1 2",
  ]) func `what is no placeholder is no number either`(id: String) throws {
    #expect(try findings("content=\"app-id=\(id)\"") == ["banner-app-id: app-id is \(id), not a number"])
  }

  @Test(arguments: ["", "content", "content=\"\"", "content=\"app-clip-display=card\"", "data-x=\"1\""])
  func `a banner without a number says so`(attributes: String) throws {
    #expect(try findings(attributes) == ["banner-app-id: the banner has no app-id"])
  }

  @Test func `beside a placeholder another clip's id is still wrong`() throws {
    #expect(
      try findings("content=\"app-id={{APP_ID}}, app-clip-bundle-id=app.irl.Other\"")
        == ["banner-app-id: app-clip-bundle-id is app.irl.Other, not the clip app.irl.IRL.Clip"])
  }

  @Test func `a banner that is far too long is read to its end`() throws {
    for piece in ["%a", "__a", "{a", "@a.", "$"] {
      #expect(try findings("content=\"app-id=\(String(repeating: piece, count: 100_000))\"").count <= 1)
    }
  }
}

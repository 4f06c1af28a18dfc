import Testing

@testable import BumpSharedCards

/// Where cards are in a bucket, and what a store says of it.
@Suite struct BucketTests {
  private func at(_ text: String, endpoint: String? = nil, region: String = "eu-west-1") -> BucketLocation? {
    BucketLocation(
      text, endpoint: endpoint, region: region, accessKey: "k", secretKey: "tomato", token: nil, roots: nil)
  }

  private static let id = "0F3B2C11-5E7A-4B86-9C05-2D1E7F3A9B64"

  @Test(arguments: [
    ("s3://cards", "https://s3.eu-west-1.amazonaws.com/cards/\(id).card"),
    ("s3://cards/", "https://s3.eu-west-1.amazonaws.com/cards/\(id).card"),
    ("s3://cards/a/b_c", "https://s3.eu-west-1.amazonaws.com/cards/a/b_c/\(id).card"),
  ]) func `a card has a place in its bucket, and is known by it again`(text: String, url: String) throws {
    let place = try #require(at(text))
    let id = try #require(SharedCardID(Self.id))
    #expect(place.url(of: id) == url)
    let key = url.split(separator: "/", maxSplits: 3)[3]
    #expect(place.id(of: String(key)) == id)
  }

  @Test(arguments: [
    "s3://", "s3:///a", "s3://a//b", "s3://a/../b", "s3://a/b?c", "s3://a b", "s3://ä", "s3://a/b#c", "https://a",
    "s3://a/" + String(repeating: "b", count: 600),
  ]) func `what needs escaping is no place`(text: String) { #expect(at(text) == nil) }

  @Test(arguments: ["ftp://a", "https://", "http://u@a", "https://a/b", "https://a?b", "a", ""])
  func `an endpoint is a host`(endpoint: String) { #expect(at("s3://cards", endpoint: endpoint) == nil) }

  @Test func `somebody else's objects are no cards`() throws {
    let place = try #require(at("s3://cards/a"))
    for key in [
      "a/notes.txt", "\(Self.id).card", "b/\(Self.id).card", "a/b/\(Self.id).card", "a/\(Self.id).card.bak", "",
    ] {
      #expect(place.id(of: key) == nil, "\(key)")
    }
  }

  @Test func `a place and its keys print without the secret`() throws {
    let place = try #require(at("s3://cards/a"))
    var dumped = ""
    dump(place, to: &dumped)
    #expect(!"\(place) \(place.signature) \(dumped)".contains("tomato") && "\(place)" == "s3://cards/a")
  }

  @Test func `the query is in the order in which it is signed, and escaped`() throws {
    let place = try #require(at("s3://cards/a", endpoint: "http://127.0.0.1:9000"))
    #expect(
      place.listURL(after: "1/+=")
        == "http://127.0.0.1:9000/cards?continuation-token=1%2F%2B%3D&list-type=2&prefix=a%2F")
  }

  @Test func `a page has keys, times and the next page`() {
    let page = S3Page(
      Array(
        """
        <?xml version="1.0"?><ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>x/=</NextContinuationToken>
        <Contents><Key>a</Key><LastModified>1970-01-01T00:01:00.000Z</LastModified><Size>5</Size></Contents>
        <Contents><LastModified>1970-01-02T00:00:00Z</LastModified><Key>b</Key></Contents></ListBucketResult>
        """.utf8))
    #expect(page.objects == [.init(key: "a", modified: 60), .init(key: "b", modified: 86_400)] && page.next == "x/=")
  }

  @Test func `a token is passed on as the store means it`() {
    let xml = "<IsTruncated>true</IsTruncated><NextContinuationToken>a&amp;lt;&lt;b</NextContinuationToken>"
    #expect(S3Page(Array(xml.utf8)).next == "a&lt;<b")
  }

  @Test(arguments: [
    "", "<Contents>", "<Contents><Key>a</Key></Contents>", "</Contents><Contents><Key>a</Contents></Key>",
    "<Contents><Key>a</Key><LastModified>yesterday</LastModified></Contents>",
    "<NextContinuationToken>x</NextContinuationToken>", "{}",
  ]) func `what is no page has nothing in it`(xml: String) {
    let page = S3Page(Array(xml.utf8))
    #expect(page.objects.isEmpty && page.next == nil)
  }
}

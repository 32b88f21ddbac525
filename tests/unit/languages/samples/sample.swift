import Foundation
@testable import RxSwift

/// A disposable thing.
public protocol Disposable {
    var name: String { get }
    func dispose()
}

public final class Bag: Disposable {
    private var items: [Disposable] = []
    public init(limit: Int) { self.limit = limit }
    deinit { dispose() }
    /// Disposes all.
    public func dispose() { items.forEach { $0.dispose() } }
    subscript(i: Int) -> Int { return i }
}

struct Point { let x: Int }
enum Event<T> { case next(T) }
extension Bag {
    func insert(_ d: Disposable) { items.append(d) }
}
actor Worker { func run() async {} }
typealias Handler = (Int) -> Void
let limit = 10
func max<T>(_ a: T, _ b: T) -> T { return compare(a, b) }

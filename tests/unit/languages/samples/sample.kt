package kotlinx.coroutines

import kotlin.coroutines.CoroutineContext
import java.util.*

/** The limit. */
const val LIMIT = 10
val counter: Int by lazy { 0 }

/**
 * A job that can be cancelled.
 */
@Suppress("x")
public interface Job : Element {
    val isActive: Boolean
    fun cancel(cause: Throwable? = null)
}

open class Task(val id: Int) : Job {
    var state = 0
    constructor() : this(0)
    init { start() }
    override fun cancel(cause: Throwable?) { notify(cause) }
    companion object { fun create() = Task(1) }
    enum class Mode { FAST, SLOW }
}

object Registry { fun add(t: Task) {} }
data class Pair(val a: Int)
typealias Handler = (Int) -> Unit
fun <T> Flow<T>.collect(action: (T) -> Unit): T = action.invoke(this)
suspend fun delay(time: Long) { yield() }

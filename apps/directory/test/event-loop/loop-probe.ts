/** Polls the health of a service, and measures for how long its event loop was blocked. */
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'

const betweenMs = 4

export class LoopProbe {
  readonly #base: string
  readonly #pid: number
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })

  constructor(base: string, pid: number) {
    this.#base = base
    this.#pid = pid
  }

  /**
   * The longest time for which the main thread of the service was busy and did not respond to a health request, in
   * milliseconds. Time that other processes used does not count.
   */
  async longestDuring(work: Promise<unknown>): Promise<number> {
    let isOver = false
    const finishedWork = work.finally(() => {
      isOver = true
    })
    let longestMs = 0
    while (!isOver) {
      longestMs = Math.max(longestMs, await this.#measure())
      await pause(betweenMs)
    }
    await finishedWork
    return Math.max(longestMs, await this.#measure())
  }

  close(): void {
    this.#agent.destroy()
  }

  async #measure(): Promise<number> {
    const [startTime, workedBefore] = [performance.now(), this.#workedMs()]
    await new Promise<void>((resolve, reject) => {
      const probe = request(`${this.#base}/health/live`, { agent: this.#agent }, (response) => {
        response.resume().once('end', resolve)
        if (response.statusCode !== 200) reject(new Error(`/health/live is ${response.statusCode}`))
      })
      probe.once('error', reject).end()
    })
    return Math.min(performance.now() - startTime, this.#workedMs() - workedBefore)
  }

  /** The CPU time of the main thread in milliseconds; wall time if the system does not report it. */
  #workedMs(): number {
    try {
      return Number(readFileSync(`/proc/${this.#pid}/task/${this.#pid}/schedstat`, 'utf8').split(' ', 1)[0]) / 1e6
    } catch {
      return performance.now()
    }
  }
}

/** Asks a service again and again whether it is alive, and says for how long its event loop was kept. */
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
   * The longest time for which the service was at work on its main thread while it was asked and did not answer, in
   * milliseconds. Time in which the machine was busy with something else does not count.
   */
  async longestDuring(work: Promise<unknown>): Promise<number> {
    let isOver = false
    const over = work.finally(() => {
      isOver = true
    })
    let longest = 0
    while (!isOver) {
      longest = Math.max(longest, await this.#ask())
      await pause(betweenMs)
    }
    await over
    return Math.max(longest, await this.#ask())
  }

  close(): void {
    this.#agent.destroy()
  }

  async #ask(): Promise<number> {
    const [begun, worked] = [performance.now(), this.#workedMs()]
    await new Promise<void>((resolve, reject) => {
      const asked = request(`${this.#base}/health/live`, { agent: this.#agent }, (answer) => {
        answer.resume().once('end', resolve)
        if (answer.statusCode !== 200) reject(new Error(`/health/live is ${answer.statusCode}`))
      })
      asked.once('error', reject).end()
    })
    return Math.min(performance.now() - begun, this.#workedMs() - worked)
  }

  /** For how long the main thread has had a processor, in milliseconds; any time where the system does not tell. */
  #workedMs(): number {
    try {
      return Number(readFileSync(`/proc/${this.#pid}/task/${this.#pid}/schedstat`, 'utf8').split(' ', 1)[0]) / 1e6
    } catch {
      return performance.now()
    }
  }
}

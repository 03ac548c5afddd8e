/** A client that continues to send requests after errors, and records the responses. */
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { connections, type HttpResponse, type RequestOptions, sendRequest } from './send-request.ts'

/** The time limit of every request, even if the database is not available. */
const timeoutMs = 8000

export class Caller {
  /** The number of responses by status. */
  readonly statuses = new Map<number, number>()
  /** Email addresses of users whose creation was acknowledged. */
  readonly created: string[] = []
  readonly #base: string
  readonly #name: string
  readonly #agent = connections(1)
  #isOver = false

  constructor(base: string, name: string) {
    this.#base = base
    this.#name = name
  }

  async read(path: string): Promise<void> {
    while (!this.#isOver) await this.#call(path)
  }

  /** Creates users. Repeats failed and uncertain requests with the same Idempotency-Key. */
  async create(): Promise<void> {
    for (let count = 1; !this.#isOver; count++) {
      const email = `${this.#name}.${count}@example.com`
      const body = { firstName: this.#name, lastName: `${count}`, email, department: 1 }
      const headers = { 'idempotency-key': email }
      while (!this.#isOver) {
        const { status } = await this.#call('/user', { method: 'POST', body, headers })
        if (status !== 201) continue
        this.created.push(email)
        break
      }
    }
  }

  stop(): void {
    this.#isOver = true
  }

  count(status: number): number {
    return this.statuses.get(status) ?? 0
  }

  async #call(path: string, options: RequestOptions = {}): Promise<HttpResponse> {
    const controller = new AbortController()
    const timeout = pause(timeoutMs, undefined, { signal: controller.signal }).then(() => {
      throw new Error(`${options.method ?? 'GET'} ${path} has no response within ${timeoutMs} ms.`)
    })
    timeout.catch(() => undefined)
    const response = await Promise.race([sendRequest(this.#base + path, { ...options, agent: this.#agent }), timeout])
    controller.abort()
    expect([200, 201, 503], `${response.bytes}`).toContain(response.status)
    if (response.status === 503) expect(response.headers['retry-after']).toBe('1')
    this.statuses.set(response.status, this.count(response.status) + 1)
    await pause(response.status === 503 ? 50 : 5)
    return response
  }
}

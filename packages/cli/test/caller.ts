/** A client that goes on calling whatever it is answered, and notes the answers. */
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { type Answer, type Asked, ask, connections } from './ask.ts'

/** No request may take longer, whatever has become of the database, in milliseconds. */
const bound = 8000

export class Caller {
  /** How many answers there were with each status. */
  readonly statuses = new Map<number, number>()
  /** E-mail addresses of users that it was told it has created. */
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

  /** Creates users. What was not done, or perhaps not, is repeated with the same key until it is. */
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

  async #call(path: string, asked: Asked = {}): Promise<Answer> {
    const hang = new AbortController()
    const late = pause(bound, undefined, { signal: hang.signal }).then(() => {
      throw new Error(`${asked.method ?? 'GET'} ${path} has no answer within ${bound} ms.`)
    })
    late.catch(() => undefined)
    const answer = await Promise.race([ask(this.#base + path, { ...asked, agent: this.#agent }), late])
    hang.abort()
    expect([200, 201, 503], `${answer.bytes}`).toContain(answer.status)
    if (answer.status === 503) expect(answer.headers['retry-after']).toBe('1')
    this.statuses.set(answer.status, this.count(answer.status) + 1)
    await pause(answer.status === 503 ? 50 : 5)
    return answer
  }
}

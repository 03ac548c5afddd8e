/** Many clients that write while something is killed, and what must hold of their records afterwards. */

import { type Random, randomFrom } from '@nomen/testing/random'
import { expect } from 'vitest'
import { type Answer, ask, connections } from './ask.ts'
import { DirectoryWriter, Identities, type User } from './directory-writer.ts'

/** Clients that write until they are cut off, or told that there is no database. */
export class Crowd {
  readonly identities = new Identities()
  readonly writers: readonly DirectoryWriter[]
  readonly counters: readonly Counter[]

  constructor(random: Random, numberOfWriters: number) {
    this.writers = Array.from(
      { length: numberOfWriters },
      (_, at) => new DirectoryWriter(`w${at}`, randomFrom(random.below(2 ** 32)), this.identities),
    )
    this.counters = Array.from({ length: 4 }, () => new Counter())
  }

  /** Resolves when all of them have stopped. */
  async write(base: string): Promise<void> {
    await Promise.all([
      ...this.writers.map((writer) => writer.write(base)),
      ...this.counters.map((counter) => counter.write(base)),
    ])
  }

  get acknowledged(): number {
    return this.writers.reduce((sum, writer) => sum + writer.acknowledged, 0)
  }

  get counted(): number {
    return this.counters.reduce((sum, counter) => sum + counter.acknowledged, 0)
  }

  /** How many wait to learn what has become of their last request. */
  get doubts(): number {
    return this.writers.filter(({ doubt }) => doubt).length
  }

  /** What was acknowledged is there, what was doubtful is there whole or not at all, and totals are those of a walk. */
  async expectKept(base: string, numberOfUsers: number): Promise<void> {
    await expectTotals(base, '/user', numberOfUsers)
    await Promise.all(
      this.writers.map(async (writer) => {
        await writer.settle(base)
        await writer.verify()
      }),
    )
    await this.#expectNoReuse(base)
    await this.#expectCounted(base)
  }

  /** The highest identity of all is not given again once its record is deleted. */
  async #expectNoReuse(base: string): Promise<void> {
    const highest = this.identities.highest('user')
    const owner = this.writers.find(({ users }) => users.has(highest))
    await owner?.remove(highest)
    const made = await ask(`${base}/user`, {
      method: 'POST',
      body: { firstName: '', lastName: '', email: `after${highest}@example.com`, department: 1 },
    })
    expect(made.status).toBe(201)
    const { id } = made.json() as User
    expect(id).toBeGreaterThan(highest)
    this.identities.addNew('user', id)
  }

  /** No acknowledged count was overwritten by another. */
  async #expectCounted(base: string): Promise<void> {
    const count = countOf(await ask(base + counted))
    const doubtful = this.counters.reduce((sum, counter) => sum + counter.doubtful, 0)
    expect(count).toBeGreaterThanOrEqual(this.counted)
    expect(count).toBeLessThanOrEqual(this.counted + doubtful)
  }
}

const counted = '/department/15'

function countOf(answer: Answer): number {
  return Number((answer.json() as { name: string }).name) || 0
}

/** Counts up in the name of one department, each time from the version that it has read. */
export class Counter {
  acknowledged = 0
  doubtful = 0

  async write(base: string): Promise<void> {
    const agent = connections(1)
    try {
      for (;;) {
        const read = await ask(base + counted, { agent })
        if (read.status === 503) return
        const name = `${countOf(read) + 1}`
        const headers = { 'if-match': `${read.headers.etag}` }
        this.doubtful++
        const answer = await ask(base + counted, { method: 'PATCH', body: { name }, headers, agent })
        // It stays doubtful where the answer says so.
        if (answer.status === 503 && isDoubtful(answer)) return
        this.doubtful--
        if (answer.status === 503) return
        if (answer.status === 200) this.acknowledged++
        else expect(answer.status).toBe(412)
      }
    } catch (error) {
      // Only a connection that broke has a code.
      if (!(error instanceof Error && 'code' in error)) throw error
    }
  }
}

function isDoubtful(answer: Answer): boolean {
  return (answer.json() as { detail: string }).detail.includes('may have been done, or not')
}

/** The totals of a list are those of a walk over all its pages. */
export async function expectTotals(base: string, path: string, count: number): Promise<void> {
  const agent = connections(1)
  const found = new Set<number>()
  for (let pageNumber = 1; ; pageNumber++) {
    const page = (await ask(`${base}${path}?pageSize=97&pageNumber=${pageNumber}`, { agent })).json() as {
      pageInfo: { numberOfRecords: number }
      results: User[]
    }
    expect(page.pageInfo.numberOfRecords).toBe(count)
    for (const { id } of page.results) found.add(id)
    if (page.results.length < 97) break
  }
  expect(found.size).toBe(count)
}

type Row = Readonly<Record<string, unknown>>

/** Records are whole in themselves, whichever database has them: folded texts, and preferences of one kind. */
export function expectWholeRecords(users: readonly Row[], preferences: readonly Row[], identities: Identities): void {
  for (const user of users) {
    for (const field of ['firstName', 'lastName', 'email'])
      expect(user[`${field}_folded`], `${field} of user ${user.id}`).toBe(fold(`${user[field]}`))
    identities.add('user', Number(user.id))
  }
  for (const preference of preferences) {
    expect((preference.enabled === null) !== (preference.value === null), `preference ${preference.id}`).toBe(true)
    identities.add('preference', Number(preference.id))
  }
}

function fold(text: string): string {
  return text.toUpperCase().toLowerCase().replaceAll('ς', 'σ')
}

/** A client that writes to the directory over one connection and remembers what it was told. */

import type { Random } from '@nomen/testing/random'
import { expect } from 'vitest'
import { type Answer, ask, keptConnection } from './ask.ts'

export interface User {
  readonly id: number
  readonly [property: string]: unknown
}

interface Preference {
  readonly id: number
  readonly type: string
  readonly enabled: boolean | null
  readonly value: string | null
}

/** A user that only this writer changes, as the last answers had it. */
interface Known {
  readonly user: User
  readonly tag: string | undefined
  readonly preferences: ReadonlyMap<number, Preference>
  readonly roles: ReadonlySet<number>
}

/** A request that got no whole answer, or was told that its outcome is unknown: it was done, or it was not. */
interface Doubt {
  readonly what: string
  /** Whether it was told that nothing has changed. */
  isRefused?: boolean
  /** What the writer knows in one case or the other; undefined for a user that is not there. */
  readonly before: Known | undefined
  readonly after: Known | undefined
  /** Posts the user again where the request created one. */
  readonly repeat?: () => Promise<Answer>
}

type Values = Readonly<Record<string, unknown>>

/** Identities that were ever given, by noun: none may be given again. */
export class Identities {
  readonly #given = { user: new Set<number>(), preference: new Set<number>() }

  add(noun: 'user' | 'preference', id: number): void {
    this.#given[noun].add(id)
  }

  addNew(noun: 'user' | 'preference', id: number): void {
    expect(this.#given[noun].has(id), `${noun} ${id} was given before`).toBe(false)
    this.add(noun, id)
  }

  highest(noun: 'user' | 'preference'): number {
    return Math.max(0, ...this.#given[noun])
  }
}

export class DirectoryWriter {
  readonly users = new Map<number, Known>()
  readonly gone = new Set<number>()
  doubt: Doubt | undefined
  acknowledged = 0
  readonly #name: string
  readonly #random: Random
  readonly #identities: Identities
  #base = ''
  #agent = keptConnection()
  #mark = 0

  constructor(name: string, random: Random, identities: Identities) {
    this.#name = name
    this.#random = random
    this.#identities = identities
  }

  /** Writes until a request fails, as it does when the service is killed, or has no database. */
  async write(base: string): Promise<void> {
    this.#base = base
    this.#agent = keptConnection()
    for (;;) {
      this.doubt = undefined
      try {
        await this.#step()
      } catch (error) {
        if (!this.doubt) throw error
        return
      }
    }
  }

  /** Finds out which of the two ways a doubtful request went, and refuses a third. */
  async settle(base: string): Promise<void> {
    const { doubt } = this
    this.doubt = undefined
    this.#base = base
    this.#agent = keptConnection()
    if (!doubt) return
    const { what, before, after, repeat } = doubt
    const id = before?.user.id
    const found = id === undefined ? await this.#findUser(after?.user.email) : await this.#read(id)
    if (doubt.isRefused) expect(found, what).toEqual(before)
    if (repeat) await this.#settleCreate(what, found, repeat)
    else if (isSame(found, before)) this.#keep(id, before)
    else {
      expect(forgetManaged(found), what).toEqual(forgetManaged(after && { ...after }))
      this.#keep(id, found)
    }
  }

  /** Everything that was acknowledged is there, and nothing else of these users. */
  async verify(): Promise<void> {
    for (const [id, known] of this.users) expect(await this.#read(id), `user ${id}`).toEqual(known)
    for (const id of this.gone) expect(await this.#read(id), `user ${id} was deleted`).toBeUndefined()
  }

  /** Deletes a user of this writer. */
  async remove(id: number): Promise<void> {
    expect((await this.#ask('DELETE', `/user/${id}`)).status).toBe(200)
    this.#keep(id, undefined)
  }

  async #settleCreate(what: string, found: Known | undefined, repeat: () => Promise<Answer>): Promise<void> {
    const again = await repeat()
    expect(again.status, what).toBe(201)
    expect(again.headers['idempotency-replayed'], what).toBe(found && 'true')
    const user = again.json() as User
    if (found) expect(user, what).toEqual(found.user)
    this.#identities.add('user', user.id)
    this.users.set(user.id, { user, tag: again.headers.etag, preferences: new Map(), roles: new Set() })
  }

  async #step(): Promise<void> {
    const known = [...this.users.values()]
    if (known.length < 3) return this.#create()
    // The youngest users are changed most: those whose writes are the latest.
    const one = this.#random.pick(known.slice(-4))
    const act = this.#random.pick([
      () => this.#create(),
      () => this.#create(),
      () => this.#change(one, 'PATCH'),
      () => this.#change(one, 'PATCH'),
      () => this.#change(one, 'PUT'),
      () => this.#delete(one),
      () => this.#addPreference(one),
      () => this.#addPreference(one),
      () => this.#changePreference(one),
      () => this.#deletePreference(one),
      () => this.#link(one),
      () => this.#link(one),
      () => this.#unlink(one),
    ])
    return act()
  }

  async #create(): Promise<void> {
    const mark = this.#newMark()
    const body = { ...marked(mark), email: `${mark}@example.com`, department: 1 }
    const key = { 'idempotency-key': mark }
    const user = { id: 0, ...body, status: 'ACTIVE', supervisor: null }
    const after = { user, tag: undefined, preferences: new Map(), roles: new Set<number>() }
    const repeat = () => this.#ask('POST', '/user', body, key)
    const answer = await this.#try({ what: `POST /user ${mark}`, before: undefined, after, repeat }, repeat)
    expect(answer.status).toBe(201)
    const made = answer.json() as User
    this.#identities.addNew('user', made.id)
    expect(answer.headers.location).toBe(`/user/${made.id}`)
    expect(made).toMatchObject(body)
    this.#keep(made.id, { ...after, user: made, tag: answer.headers.etag })
  }

  async #change(known: Known, method: 'PUT' | 'PATCH'): Promise<void> {
    const values = marked(this.#newMark())
    const body = method === 'PUT' ? { ...known.user, ...values } : values
    const after = { ...known, user: { ...known.user, ...values } }
    const answer = await this.#tryOn(method, known, after, '', body)
    expect(answer.json()).toMatchObject(values)
    this.#keep(known.user.id, { ...known, user: answer.json() as User, tag: answer.headers.etag })
  }

  async #delete(known: Known): Promise<void> {
    const answer = await this.#tryOn('DELETE', known, undefined, '')
    expect(answer.json()).toEqual(known.user)
    this.#keep(known.user.id, undefined)
  }

  async #addPreference(known: Known): Promise<void> {
    const mark = this.#newMark()
    const values = { type: mark, enabled: null, value: mark }
    const after = { ...known, preferences: new Map(known.preferences).set(0, { id: 0, ...values }) }
    const answer = await this.#tryOn('POST', known, after, '/preference', { type: mark, value: mark })
    const made = answer.json() as Preference
    this.#identities.addNew('preference', made.id)
    expect(made).toEqual({ id: made.id, ...values })
    this.#keep(known.user.id, { ...known, preferences: new Map(known.preferences).set(made.id, made) })
  }

  async #changePreference(known: Known): Promise<void> {
    if (known.preferences.size === 0) return
    const preference = this.#random.pick([...known.preferences.values()])
    // Both change or none: a preference has exactly one of the two.
    const values =
      preference.value === null ? { enabled: null, value: this.#newMark() } : { enabled: true, value: null }
    const changed = { ...preference, ...values }
    const after = { ...known, preferences: new Map(known.preferences).set(preference.id, changed) }
    const answer = await this.#tryOn('PATCH', known, after, `/preference/${preference.id}`, values)
    expect(answer.json()).toEqual(changed)
    this.#keep(known.user.id, after)
  }

  async #deletePreference(known: Known): Promise<void> {
    if (known.preferences.size === 0) return
    const { id } = this.#random.pick([...known.preferences.values()])
    const preferences = new Map(known.preferences)
    preferences.delete(id)
    await this.#tryOn('DELETE', known, { ...known, preferences }, `/preference/${id}`)
    this.#keep(known.user.id, { ...known, preferences })
  }

  async #link(known: Known): Promise<void> {
    const role = 1 + this.#random.below(8)
    const after = { ...known, roles: new Set(known.roles).add(role) }
    await this.#tryOn('PUT', known, after, `/role/${role}`)
    this.#keep(known.user.id, after)
  }

  async #unlink(known: Known): Promise<void> {
    if (known.roles.size === 0) return
    const role = this.#random.pick([...known.roles])
    const roles = new Set(known.roles)
    roles.delete(role)
    await this.#tryOn('DELETE', known, { ...known, roles }, `/role/${role}`)
    this.#keep(known.user.id, { ...known, roles })
  }

  async #tryOn(method: string, before: Known, after: Known | undefined, end: string, body?: Values): Promise<Answer> {
    const path = `${end.startsWith('/role') ? '/v1' : ''}/user/${before.user.id}${end}`
    const answer = await this.#try({ what: `${method} ${path}`, before, after }, () => this.#ask(method, path, body))
    expect(answer.status, `${method} ${path} ${answer.bytes}`).toBe(end === '/preference' ? 201 : 200)
    return answer
  }

  async #try(doubt: Doubt, request: () => Promise<Answer>): Promise<Answer> {
    this.doubt = doubt
    const answer = await request()
    if (answer.status === 503) this.#leave(answer)
    this.doubt = undefined
    this.acknowledged++
    return answer
  }

  #leave(answer: Answer): never {
    expect(answer.headers['retry-after']).toBe('1')
    const { detail } = answer.json() as { detail: string }
    if (this.doubt) this.doubt.isRefused = !detail.includes('may have been done, or not')
    throw new Error(detail)
  }

  #keep(id: number | undefined, known: Known | undefined): void {
    if (known) this.users.set(known.user.id, known)
    else if (id !== undefined) {
      this.users.delete(id)
      this.gone.add(id)
    }
  }

  async #findUser(email: unknown): Promise<Known | undefined> {
    const answer = await this.#ask('GET', `/user?email=${encodeURIComponent(`${email}`)}`)
    const { results } = answer.json() as { results: User[] }
    expect(results.length).toBeLessThanOrEqual(1)
    return results[0] && this.#read(results[0].id)
  }

  async #read(id: number): Promise<Known | undefined> {
    const answer = await this.#ask('GET', `/user/${id}`)
    if (answer.status === 404) return undefined
    expect(answer.status).toBe(200)
    const preferences = (await this.#ask('GET', `/user/${id}/preference`)).json() as Preference[]
    const roles = (await this.#ask('GET', `/v1/user/${id}/role?pageSize=1000`)).json() as {
      results: { roleRef: number }[]
    }
    return {
      user: answer.json() as User,
      tag: answer.headers.etag,
      preferences: new Map(preferences.map((one) => [one.id, one])),
      roles: new Set(roles.results.map(({ roleRef }) => roleRef)),
    }
  }

  #ask(method: string, path: string, body?: Values, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return ask(this.#base + path, { method, headers, body, agent: this.#agent })
  }

  #newMark(): string {
    return `${this.#name}.${++this.#mark}`
  }
}

/** The same mark in every field: a half write would leave two. Letters beyond ASCII, which fold to others. */
function marked(mark: string): Values {
  return { firstName: `Ärger ${mark}`, lastName: `ΣΊΣΥΦΟΣ ${mark}`, phone: mark, extension: mark }
}

function isSame(one: Known | undefined, other: Known | undefined): boolean {
  try {
    expect(one).toEqual(other)
    return true
  } catch {
    return false
  }
}

/** What the service gives by itself is not known before its answer: identities, moments and tags. */
function forgetManaged(known: Known | undefined): unknown {
  if (!known) return undefined
  const { lastUpdated: _, ...user } = known.user
  const preferences = [...known.preferences.values()].map(({ type, enabled, value }) => ({ type, enabled, value }))
  return { user, preferences, roles: known.roles }
}

/** A client that writes to the directory over one connection and records the responses. */

import type { Random } from '@nomen/testing/random'
import { expect } from 'vitest'
import { type HttpResponse, keepAliveAgent, sendRequest } from './send-request.ts'

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

/** A user that only this writer changes, from the last responses. */
interface KnownUser {
  readonly user: User
  readonly tag: string | undefined
  readonly preferences: ReadonlyMap<number, Preference>
  readonly roles: ReadonlySet<number>
}

/** A request without a complete response, or with an unknown outcome: it may have been executed. */
interface UncertainRequest {
  readonly description: string
  /** Whether the response said that nothing has changed. */
  isRefused?: boolean
  /** The expected record in both cases; undefined for a missing user. */
  readonly before: KnownUser | undefined
  readonly after: KnownUser | undefined
  /** Repeats the POST, if the request creates a user. */
  readonly repeat?: () => Promise<HttpResponse>
}

type Values = Readonly<Record<string, unknown>>

/** All assigned IDs by noun. None may be assigned again. */
export class Identities {
  readonly #given = { user: new Set<number>(), preference: new Set<number>() }

  add(noun: 'user' | 'preference', id: number): void {
    this.#given[noun].add(id)
  }

  addNew(noun: 'user' | 'preference', id: number): void {
    expect(this.#given[noun].has(id), `${noun} ${id} was assigned before`).toBe(false)
    this.add(noun, id)
  }

  highest(noun: 'user' | 'preference'): number {
    return Math.max(0, ...this.#given[noun])
  }
}

export class DirectoryWriter {
  readonly users = new Map<number, KnownUser>()
  readonly deletedIds = new Set<number>()
  uncertainRequest: UncertainRequest | undefined
  acknowledged = 0
  readonly #name: string
  readonly #random: Random
  readonly #identities: Identities
  #base = ''
  #agent = keepAliveAgent()
  #markerCount = 0

  constructor(name: string, random: Random, identities: Identities) {
    this.#name = name
    this.#random = random
    this.#identities = identities
  }

  /** Writes until a request fails because the service is killed or has no database. */
  async write(base: string): Promise<void> {
    this.#base = base
    this.#agent = keepAliveAgent()
    for (;;) {
      this.uncertainRequest = undefined
      try {
        await this.#step()
      } catch (error) {
        if (!this.uncertainRequest) throw error
        return
      }
    }
  }

  /** Checks whether a request without a response was applied completely or not at all. */
  async resolveUncertainRequest(base: string): Promise<void> {
    const { uncertainRequest } = this
    this.uncertainRequest = undefined
    this.#base = base
    this.#agent = keepAliveAgent()
    if (!uncertainRequest) return
    const { description, before, after, repeat } = uncertainRequest
    const id = before?.user.id
    const stored = id === undefined ? await this.#findUser(after?.user.email) : await this.#read(id)
    if (uncertainRequest.isRefused) expect(stored, description).toEqual(before)
    if (repeat) await this.#resolveCreate(description, stored, repeat)
    else if (isSame(stored, before)) this.#keep(id, before)
    else {
      expect(withoutManaged(stored), description).toEqual(withoutManaged(after && { ...after }))
      this.#keep(id, stored)
    }
  }

  /** Expects that the stored users match all acknowledged writes exactly. */
  async verify(): Promise<void> {
    for (const [id, knownUser] of this.users) expect(await this.#read(id), `user ${id}`).toEqual(knownUser)
    for (const id of this.deletedIds) expect(await this.#read(id), `user ${id} was deleted`).toBeUndefined()
  }

  /** Deletes a user of this writer. */
  async remove(id: number): Promise<void> {
    expect((await this.#send('DELETE', `/user/${id}`)).status).toBe(200)
    this.#keep(id, undefined)
  }

  async #resolveCreate(
    description: string,
    stored: KnownUser | undefined,
    repeat: () => Promise<HttpResponse>,
  ): Promise<void> {
    const repeated = await repeat()
    expect(repeated.status, description).toBe(201)
    expect(repeated.headers['idempotency-replayed'], description).toBe(stored && 'true')
    const user = repeated.json() as User
    if (stored) expect(user, description).toEqual(stored.user)
    this.#identities.add('user', user.id)
    this.users.set(user.id, { user, tag: repeated.headers.etag, preferences: new Map(), roles: new Set() })
  }

  async #step(): Promise<void> {
    const knownUsers = [...this.users.values()]
    if (knownUsers.length < 3) return this.#create()
    // Most changes affect the newest users.
    const user = this.#random.pick(knownUsers.slice(-4))
    const action = this.#random.pick([
      () => this.#create(),
      () => this.#create(),
      () => this.#change(user, 'PATCH'),
      () => this.#change(user, 'PATCH'),
      () => this.#change(user, 'PUT'),
      () => this.#delete(user),
      () => this.#addPreference(user),
      () => this.#addPreference(user),
      () => this.#changePreference(user),
      () => this.#deletePreference(user),
      () => this.#link(user),
      () => this.#link(user),
      () => this.#unlink(user),
    ])
    return action()
  }

  async #create(): Promise<void> {
    const marker = this.#newMarker()
    const body = { ...markedValues(marker), email: `${marker}@example.com`, department: 1 }
    const key = { 'idempotency-key': marker }
    const user = { id: 0, ...body, status: 'ACTIVE', supervisor: null }
    const after = { user, tag: undefined, preferences: new Map(), roles: new Set<number>() }
    const repeat = () => this.#send('POST', '/user', body, key)
    const response = await this.#try({ description: `POST /user ${marker}`, before: undefined, after, repeat }, repeat)
    expect(response.status).toBe(201)
    const created = response.json() as User
    this.#identities.addNew('user', created.id)
    expect(response.headers.location).toBe(`/user/${created.id}`)
    expect(created).toMatchObject(body)
    this.#keep(created.id, { ...after, user: created, tag: response.headers.etag })
  }

  async #change(knownUser: KnownUser, method: 'PUT' | 'PATCH'): Promise<void> {
    const values = markedValues(this.#newMarker())
    const body = method === 'PUT' ? { ...knownUser.user, ...values } : values
    const after = { ...knownUser, user: { ...knownUser.user, ...values } }
    const response = await this.#tryOn(method, knownUser, after, '', body)
    expect(response.json()).toMatchObject(values)
    this.#keep(knownUser.user.id, { ...knownUser, user: response.json() as User, tag: response.headers.etag })
  }

  async #delete(knownUser: KnownUser): Promise<void> {
    const response = await this.#tryOn('DELETE', knownUser, undefined, '')
    expect(response.json()).toEqual(knownUser.user)
    this.#keep(knownUser.user.id, undefined)
  }

  async #addPreference(knownUser: KnownUser): Promise<void> {
    const marker = this.#newMarker()
    const values = { type: marker, enabled: null, value: marker }
    const after = { ...knownUser, preferences: new Map(knownUser.preferences).set(0, { id: 0, ...values }) }
    const response = await this.#tryOn('POST', knownUser, after, '/preference', { type: marker, value: marker })
    const created = response.json() as Preference
    this.#identities.addNew('preference', created.id)
    expect(created).toEqual({ id: created.id, ...values })
    this.#keep(knownUser.user.id, {
      ...knownUser,
      preferences: new Map(knownUser.preferences).set(created.id, created),
    })
  }

  async #changePreference(knownUser: KnownUser): Promise<void> {
    if (knownUser.preferences.size === 0) return
    const preference = this.#random.pick([...knownUser.preferences.values()])
    // A preference has exactly one of the two, so both change together.
    const values =
      preference.value === null ? { enabled: null, value: this.#newMarker() } : { enabled: true, value: null }
    const changed = { ...preference, ...values }
    const after = { ...knownUser, preferences: new Map(knownUser.preferences).set(preference.id, changed) }
    const response = await this.#tryOn('PATCH', knownUser, after, `/preference/${preference.id}`, values)
    expect(response.json()).toEqual(changed)
    this.#keep(knownUser.user.id, after)
  }

  async #deletePreference(knownUser: KnownUser): Promise<void> {
    if (knownUser.preferences.size === 0) return
    const { id } = this.#random.pick([...knownUser.preferences.values()])
    const preferences = new Map(knownUser.preferences)
    preferences.delete(id)
    await this.#tryOn('DELETE', knownUser, { ...knownUser, preferences }, `/preference/${id}`)
    this.#keep(knownUser.user.id, { ...knownUser, preferences })
  }

  async #link(knownUser: KnownUser): Promise<void> {
    const role = 1 + this.#random.below(8)
    const after = { ...knownUser, roles: new Set(knownUser.roles).add(role) }
    await this.#tryOn('PUT', knownUser, after, `/role/${role}`)
    this.#keep(knownUser.user.id, after)
  }

  async #unlink(knownUser: KnownUser): Promise<void> {
    if (knownUser.roles.size === 0) return
    const role = this.#random.pick([...knownUser.roles])
    const roles = new Set(knownUser.roles)
    roles.delete(role)
    await this.#tryOn('DELETE', knownUser, { ...knownUser, roles }, `/role/${role}`)
    this.#keep(knownUser.user.id, { ...knownUser, roles })
  }

  async #tryOn(
    method: string,
    before: KnownUser,
    after: KnownUser | undefined,
    pathEnd: string,
    body?: Values,
  ): Promise<HttpResponse> {
    const path = `${pathEnd.startsWith('/role') ? '/v1' : ''}/user/${before.user.id}${pathEnd}`
    const response = await this.#try({ description: `${method} ${path}`, before, after }, () =>
      this.#send(method, path, body),
    )
    expect(response.status, `${method} ${path} ${response.bytes}`).toBe(pathEnd === '/preference' ? 201 : 200)
    return response
  }

  async #try(uncertainRequest: UncertainRequest, request: () => Promise<HttpResponse>): Promise<HttpResponse> {
    this.uncertainRequest = uncertainRequest
    const response = await request()
    if (response.status === 503) this.#leave(response)
    this.uncertainRequest = undefined
    this.acknowledged++
    return response
  }

  #leave(response: HttpResponse): never {
    expect(response.headers['retry-after']).toBe('1')
    const { detail } = response.json() as { detail: string }
    if (this.uncertainRequest) this.uncertainRequest.isRefused = !detail.includes('the outcome is unknown')
    throw new Error(detail)
  }

  #keep(id: number | undefined, knownUser: KnownUser | undefined): void {
    if (knownUser) this.users.set(knownUser.user.id, knownUser)
    else if (id !== undefined) {
      this.users.delete(id)
      this.deletedIds.add(id)
    }
  }

  async #findUser(email: unknown): Promise<KnownUser | undefined> {
    const response = await this.#send('GET', `/user?email=${encodeURIComponent(`${email}`)}`)
    const { results } = response.json() as { results: User[] }
    expect(results.length).toBeLessThanOrEqual(1)
    return results[0] && this.#read(results[0].id)
  }

  async #read(id: number): Promise<KnownUser | undefined> {
    const response = await this.#send('GET', `/user/${id}`)
    if (response.status === 404) return undefined
    expect(response.status).toBe(200)
    const preferences = (await this.#send('GET', `/user/${id}/preference`)).json() as Preference[]
    const roles = (await this.#send('GET', `/v1/user/${id}/role?pageSize=1000`)).json() as {
      results: { roleRef: number }[]
    }
    return {
      user: response.json() as User,
      tag: response.headers.etag,
      preferences: new Map(preferences.map((preference) => [preference.id, preference])),
      roles: new Set(roles.results.map(({ roleRef }) => roleRef)),
    }
  }

  #send(
    method: string,
    path: string,
    body?: Values,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<HttpResponse> {
    return sendRequest(this.#base + path, { method, headers, body, agent: this.#agent })
  }

  #newMarker(): string {
    return `${this.#name}.${++this.#markerCount}`
  }
}

/** The same marker in every field, to detect a partial write. The non-ASCII letters test case folding. */
function markedValues(marker: string): Values {
  return { firstName: `Ärger ${marker}`, lastName: `ΣΊΣΥΦΟΣ ${marker}`, phone: marker, extension: marker }
}

function isSame(first: KnownUser | undefined, second: KnownUser | undefined): boolean {
  try {
    expect(first).toEqual(second)
    return true
  } catch {
    return false
  }
}

/** Removes IDs, timestamps and ETags, which are unknown before the response. */
function withoutManaged(knownUser: KnownUser | undefined): unknown {
  if (!knownUser) return undefined
  const { lastUpdated: _, ...user } = knownUser.user
  const preferences = [...knownUser.preferences.values()].map(({ type, enabled, value }) => ({ type, enabled, value }))
  return { user, preferences, roles: knownUser.roles }
}

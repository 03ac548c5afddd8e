/** The staff service twice, once for each of two worlds: both get the same requests, and the responses are compared. */

import type { Operation, Value } from '@nomen/core'
import { type OpenService, open, type Settings } from '@nomen/server'
import { inject } from '@nomen/testing/inject'
import { admittedDifference, type ComparedResponse } from './admitted.ts'
import { hiddenChange, identityName, type Known, type Request, requestFor } from './requests.ts'
import { staffService } from './staff.ts'
import { Tape } from './tape.ts'
import { describeWorlds, guidOf, lastIdentity, type Side, sampleOf, type World, type Worlds } from './worlds.ts'

/** One step of a sequence: a request to both worlds, or a change of what is hidden in one. */
export interface Step {
  readonly operation: number
  readonly isHidden: boolean
  readonly tape: readonly number[]
}

/** The comparisons of all sequences. */
export class Tally {
  requests = 0
  done = 0
  changes = 0
  readonly operations = new Set<string>()
  readonly kinds = new Set<string>()
  readonly admitted = new Map<string, number>()
}

/** How a service is opened for a world, and the callers. */
export interface Setup {
  readonly settings: Partial<Settings>
  readonly caller: Readonly<Record<string, string>>
  readonly auditor: Readonly<Record<string, string>>
  /** A database of its own for each service, and its end. */
  database(): Promise<{ readonly address: string; remove(): Promise<void> }>
}

/** The parts in which all responses differ: times, request IDs and log positions. */
const passing = ['date', 'x-request-id', 'x-read-after', 'connection', 'keep-alive']

const newGuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\b/g

/** The operations; those that are requested more often are repeated. */
const weights: Readonly<Record<string, number>> = {
  list: 3,
  lookup: 3,
  custom: 6,
  link: 4,
  delete: 1,
}
const table: readonly Operation[] = staffService.operations.flatMap((operation) =>
  Array.from({ length: weights[operation.kind] ?? 2 }, () => operation),
)

/** A service on a world. Guids that it makes are called by their numbers, since no two services make the same. */
class Instance {
  readonly #app: OpenService
  readonly #end: () => Promise<void>
  readonly #guids = new Map<string, string>()

  private constructor(app: OpenService, end: () => Promise<void>) {
    this.#app = app
    this.#end = end
  }

  static async open(world: World, setup: Setup): Promise<Instance> {
    const { address, remove } = await setup.database()
    try {
      const sample = () => sampleOf(world)
      const app = await open(
        { ...staffService, sample },
        { waitLimitMs: 0, usage: false, ...setup.settings, database: address },
      )
      return new Instance(app, remove)
    } catch (error) {
      await remove()
      throw error
    }
  }

  async send(request: Request, caller: Readonly<Record<string, string>>): Promise<ComparedResponse> {
    const { method, url, body, headers } = request
    const {
      statusCode,
      headers: responseHeaders,
      body: text,
    } = await inject(this.#app, {
      method: method as 'GET',
      url: this.#real(url),
      headers: { ...JSON.parse(this.#real(JSON.stringify(headers))), ...caller },
      ...(body && { payload: JSON.parse(this.#real(JSON.stringify(body))) as object }),
    })
    const comparable = Object.entries(responseHeaders).filter(([name]) => !passing.includes(name))
    return { status: statusCode, headers: Object.fromEntries(comparable), text }
  }

  /** The same, with the guids that the service has made called by their numbers. */
  async sendComparably(request: Request, caller: Readonly<Record<string, string>>): Promise<ComparedResponse> {
    const { status, headers, text } = await this.send(request, caller)
    return { status, headers: JSON.parse(this.#called(JSON.stringify(headers))), text: this.#called(text) }
  }

  async close(): Promise<void> {
    await this.#app.close()
    await this.#end()
  }

  #called(text: string): string {
    return text.replace(newGuid, (guid) => {
      if (guid.startsWith('00000000-')) return guid
      if (!this.#guids.has(guid)) this.#guids.set(guid, `guid-${this.#guids.size + 1}-of-this-world`)
      return this.#guids.get(guid) ?? ''
    })
  }

  #real(text: string): string {
    let real = text
    for (const [guid, name] of this.#guids) real = real.replaceAll(name, guid)
    return real
  }
}

/** Sends a sequence to both worlds. Throws if their responses differ and the design does not admit the difference. */
export async function compareWorlds(worlds: Worlds, steps: readonly Step[], setup: Setup, tally: Tally): Promise<void> {
  const A = await Instance.open(worlds.A, setup)
  try {
    const B = await Instance.open(worlds.B, setup)
    try {
      await new Sequence(worlds, { A, B }, setup, tally).run(steps)
    } finally {
      await B.close()
    }
  } finally {
    await A.close()
  }
}

class Sequence {
  readonly #worlds: Worlds
  readonly #instances: Readonly<Record<Side, Instance>>
  readonly #place: Setup
  readonly #tally: Tally
  readonly #created = new Map<string, Value[]>()
  readonly #tags = new Map<string, string>()
  readonly #marks = new Map<string, string>()
  readonly #log: string[] = []

  constructor(worlds: Worlds, instances: Readonly<Record<Side, Instance>>, setup: Setup, tally: Tally) {
    this.#worlds = worlds
    this.#instances = instances
    this.#place = setup
    this.#tally = tally
  }

  async run(steps: readonly Step[]): Promise<void> {
    await this.#learnMarks()
    const known: Known = { worlds: this.#worlds, created: this.#created, tags: this.#tags, shapeSuffixes: this.#marks }
    for (const [turn, step] of steps.entries()) {
      const tape = new Tape(step.tape)
      if (step.isHidden) {
        await this.#changeHidden(hiddenChange(tape, known, turn))
        continue
      }
      const operation = table[step.operation % table.length] as Operation
      if (!(await this.#compare(operation, requestFor(operation, tape, known, turn)))) return
    }
  }

  /** How ETags end, which is the same for all records of a shape: so that those of hidden records can be guessed. */
  async #learnMarks(): Promise<void> {
    for (const { kind, levels, path, api, shape } of staffService.operations) {
      if (kind !== 'read' || levels.length > 1 || shape.noun.name === 'remark') continue
      const url = path.replace(/\{[^}]*\}/, shape.noun.name === 'project' ? guidOf(lastIdentity) : `${lastIdentity}`)
      const { headers } = await this.#instances.A.send({ method: 'GET', url, headers: {} }, this.#place.auditor)
      this.#marks.set(`${api} ${shape.noun.name}`, `${headers.etag}`.slice(1, -1).split('-').at(-1) ?? '')
    }
  }

  async #changeHidden(request: Request | undefined): Promise<void> {
    if (!request) return
    this.#log.push(`${textOf(request)} (in world B only, by one who sees everything)`)
    const { status, text } = await this.#instances.B.send(request, this.#place.auditor)
    if (status >= 500 || status === 403) throw this.#failure(`A hidden record could not be changed: ${status} ${text}`)
    this.#tally.changes++
  }

  /** False if the worlds are no longer equal for the caller, which the design admits. */
  async #compare(operation: Operation, request: Request): Promise<boolean> {
    this.#log.push(textOf(request))
    const { caller } = this.#place
    const [A, B] = await Promise.all([
      this.#instances.A.sendComparably(request, caller),
      this.#instances.B.sendComparably(request, caller),
    ])
    const isSame = JSON.stringify(A) === JSON.stringify(B)
    if (A.status >= 500 || B.status >= 500) throw this.#failure(`A service failed.\n${shown('A', A)}\n${shown('B', B)}`)
    if (!isSame) {
      const reason = admittedDifference(operation, request, { A, B }, this.#worlds)
      if (reason === undefined) throw this.#failure(`The answers differ.\n${shown('A', A)}\n${shown('B', B)}`)
      this.#tally.admitted.set(reason, 1 + (this.#tally.admitted.get(reason) ?? 0))
      return false
    }
    this.#tally.requests++
    if (A.status < 300) {
      this.#tally.done++
      this.#tally.kinds.add(operation.kind)
    }
    this.#tally.operations.add(`${operation.method} ${operation.path}`)
    await this.#note(operation, request, A)
    return true
  }

  async #note(operation: Operation, { url }: Request, { status, headers, text }: ComparedResponse): Promise<void> {
    if (typeof headers.etag === 'string') this.#tags.set(url, headers.etag)
    if (operation.kind !== 'create' || status !== 201) return
    const noun: string = operation.shape.noun.name
    const identity = (JSON.parse(text) as Record<string, Value>)[identityName(operation)] as Value
    // Lists are in the order of guids, which no two services make in the same one: such a record goes at once.
    if (noun === 'project') {
      const remove = this.#deleteOf(noun)
      if (remove) await this.#compare(remove, { method: 'DELETE', url: `/project/${identity}`, headers: {} })
    } else this.#created.set(noun, [...(this.#created.get(noun) ?? []), identity])
  }

  #deleteOf(noun: string): Operation | undefined {
    return staffService.operations.find(
      ({ kind, levels, shape }) => kind === 'delete' && levels.length === 1 && shape.noun.name === noun,
    )
  }

  #failure(message: string): Error {
    return new Error(`${message}\nRequests:\n  ${this.#log.join('\n  ')}\n${describeWorlds(this.#worlds)}`)
  }
}

function textOf({ method, url, body, headers }: Request): string {
  const more = [headers, body]
    .filter((part) => part && Object.keys(part).length > 0)
    .map((part) => JSON.stringify(part))
  return [method, url, ...more].join(' ')
}

function shown(side: Side, { status, headers, text }: ComparedResponse): string {
  return `World ${side}: ${status} ${JSON.stringify(headers)}\n  ${text}`
}

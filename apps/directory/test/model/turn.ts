/** One request and the model: the parts of an expectation that all operations share. */
import type { Target } from './collection.ts'
import { type Code, Faults, Refusal } from './refusal.ts'
import type { Reply, Request } from './request.ts'
import type { Tags } from './tags.ts'
import { completeRecord, type View } from './view.ts'
import { identityOf, type Row, type World } from './world.ts'

export interface Model {
  world: World
  tags: Tags
  /** Users that a delete has changed. Their `lastUpdated` is unknown until the next read. */
  changedByDelete: Map<number, { startTime: number; endTime: number }>
  /** The responses to requests with an Idempotency-Key. */
  replays: Map<string, { text: string; expected: ExpectedResponse; tag: unknown }>
}

export interface ExpectedResponse {
  status: number
  body?: unknown
  /** The single record of the response, whose ETag the response has. */
  record?: { view: View; id: number; version: number }
  /** The exact ETag, if the response is replayed. */
  tag?: unknown
  location?: string
  isReplayed?: true
  allow?: readonly string[]
  /** Faults in values that the service generates: IDs and times. */
  valueFaults: readonly string[]
}

export interface ExpectedProblem {
  codes: readonly Code[]
  names: readonly string[]
  allow?: readonly string[]
}

export interface Turn {
  model: Model
  request: Request
  reply: Reply
  target: Target
  valueFaults: string[]
}

/** The expected response with the current record. */
export function recordResponse({ target, valueFaults }: Turn, row: Row): ExpectedResponse {
  const { view } = target.collection
  const record = { view, id: identityOf(view.noun, row), version: row.version }
  return { status: 200, body: completeRecord(view, row), record, valueFaults }
}

/** Only lists have parameters. */
export function refuseQuery({ query }: Request, code?: Code): void {
  const faults = new Faults()
  for (const [name] of query) faults.add('unknown-parameter', name)
  if (code) faults.add(code)
  faults.refuse()
}

export function checkIfMatch({ model, request, target }: Turn, row: Row): void {
  const condition = request.headers['if-match']
  if (condition === undefined || matchesTag(parseTags(condition), model.tags.current(target.collection.view, row)))
    return
  throw new Refusal(['precondition-failed'])
}

export function parseTags(header: string): readonly string[] {
  return header.split(',').map((tag) => tag.trim())
}

export function matchesTag(tags: readonly string[], current: string | undefined): boolean {
  return tags.includes('*') || (current !== undefined && tags.includes(current))
}

/** Reads the ID of a new record, which must be higher than all earlier ones. */
export function readNewIdentity({ model, reply, target, valueFaults }: Turn, name: string): number {
  const id = (reply.json as Record<string, unknown> | undefined)?.[name]
  const highest = model.world.highestIds[target.collection.view.noun]
  if (Number.isSafeInteger(id) && Number(id) > highest) return Number(id)
  valueFaults.push(`${name} is ${id}, not an ID above ${highest}`)
  return highest + 1
}

/** Reads the time of a change, which must be between the request and its response. */
export function readChangeTime(
  reply: Reply,
  name: string,
  { startTime, endTime }: { startTime: number; endTime: number },
  valueFaults: string[],
): string {
  const timestamp = (reply.json as Record<string, unknown> | undefined)?.[name]
  const time = Date.parse(String(timestamp))
  const isTimestamp = !Number.isNaN(time) && new Date(time).toISOString() === timestamp
  if (isTimestamp && time >= startTime && time <= endTime) return timestamp
  const limits = [startTime, endTime].map((time) => new Date(time).toISOString())
  valueFaults.push(`${name} is ${timestamp}, not a time from ${limits.join(' to ')}`)
  return String(limits[0])
}

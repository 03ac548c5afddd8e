/** One request and the model: what an expectation is made of, and what all operations share. */
import type { Place } from './collection.ts'
import { complete, type Face } from './face.ts'
import { type Code, Faults, Refusal } from './refusal.ts'
import type { Reply, Request } from './request.ts'
import type { Tags } from './tags.ts'
import { identityOf, type Row, type World } from './world.ts'

export interface Model {
  world: World
  tags: Tags
  /** Users that a delete has changed in passing: when they were last updated is known once they have been read. */
  touched: Map<number, { from: number; to: number }>
  /** The answers to requests with an Idempotency-Key. */
  kept: Map<string, { text: string; expected: Answered; tag: unknown }>
}

export interface Answered {
  status: number
  body?: unknown
  /** The single record that is shown, whose tag the answer bears. */
  record?: { face: Face; id: number; version: number }
  /** The very tag, where the answer is a repeated one. */
  tag?: unknown
  location?: string
  isReplayed?: true
  allow?: readonly string[]
  /** What is wrong with values that only the service can know: identities and times. */
  complaints: readonly string[]
}

export interface Refused {
  codes: readonly Code[]
  names: readonly string[]
  allow?: readonly string[]
}

export interface Turn {
  model: Model
  request: Request
  reply: Reply
  place: Place
  complaints: string[]
}

/** The single record as it is now. */
export function shown({ place, complaints }: Turn, row: Row): Answered {
  const { face } = place.collection
  const record = { face, id: identityOf(face.noun, row), version: row.version }
  return { status: 200, body: complete(face, row), record, complaints }
}

/** Nothing but a list takes parameters. */
export function refuseQuery({ query }: Request, code?: Code): void {
  const faults = new Faults()
  for (const [name] of query) faults.add('unknown-parameter', name)
  if (code) faults.add(code)
  faults.refuse()
}

export function checkIfMatch({ model, request, place }: Turn, row: Row): void {
  const wanted = request.headers['if-match']
  if (wanted === undefined || isAmong(tagsIn(wanted), model.tags.current(place.collection.face, row))) return
  throw new Refusal(['precondition-failed'])
}

export function tagsIn(header: string): readonly string[] {
  return header.split(',').map((tag) => tag.trim())
}

export function isAmong(tags: readonly string[], current: string | undefined): boolean {
  return tags.includes('*') || (current !== undefined && tags.includes(current))
}

/** A new identity: higher than every one before. */
export function identityIn({ model, reply, place, complaints }: Turn, name: string): number {
  const id = (reply.json as Record<string, unknown> | undefined)?.[name]
  const highest = model.world.highest[place.collection.face.noun]
  if (Number.isSafeInteger(id) && Number(id) > highest) return Number(id)
  complaints.push(`${name} is ${id}, no identity above ${highest}`)
  return highest + 1
}

/** The time of a change: between the sending of the request and its answer. */
export function momentIn(
  reply: Reply,
  name: string,
  { from, to }: { from: number; to: number },
  complaints: string[],
): string {
  const moment = (reply.json as Record<string, unknown> | undefined)?.[name]
  const at = Date.parse(String(moment))
  const isMoment = !Number.isNaN(at) && new Date(at).toISOString() === moment
  if (isMoment && at >= from && at <= to) return moment
  const between = [from, to].map((time) => new Date(time).toISOString())
  complaints.push(`${name} is ${moment}, no time from ${between.join(' to ')}`)
  return String(between[0])
}

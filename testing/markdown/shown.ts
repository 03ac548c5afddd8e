/**
 * What a page shows of an answer, held against what came. Only what is new at every run may differ: moments of this run,
 * GUIDs and durations. `…` stands for whatever is there: at the end of an object or a list, as a line, within a text.
 */
import { AssertionError } from 'node:assert'
import { isDeepStrictEqual } from 'node:util'

/** Throws where a reader would see something else. */
export function compare(language: string, shown: string, came: string): void {
  const pairOf = language === 'json' ? jsonPair : language === 'http' ? answerPair : textPair
  expectSame(...pairOf(shown, came))
}

function expectSame(expected: unknown, actual: unknown): void {
  // Names stand in the order that is shown: a reader compares with the eye.
  if (isDeepStrictEqual(expected, actual) && JSON.stringify(expected) === JSON.stringify(actual)) return
  throw new AssertionError({ message: 'What came is not what is shown.', expected, actual, operator: 'toEqual' })
}

function jsonPair(shown: string, came: string): [unknown, unknown] {
  let answer: unknown
  try {
    answer = JSON.parse(came)
  } catch {
    throw new AssertionError({ message: 'What came is no JSON.', expected: shown, actual: came })
  }
  return [valueLike(readShown(shown), answer), answer]
}

/** JSON in which `…` may be the last of an object or a list. */
function readShown(shown: string): unknown {
  return JSON.parse(shown.replace(/…(?=\s*\})/g, '"…": "…"').replace(/…(?=\s*\])/g, '"…"'))
}

/** What is shown, with what may differ taken from what came. */
function valueLike(shown: unknown, came: unknown): unknown {
  if (typeof shown === 'string' && typeof came === 'string') return lineLike(shown, came)
  if (Array.isArray(shown) && Array.isArray(came)) {
    const isOpen = shown.at(-1) === '…'
    const named = isOpen ? shown.slice(0, -1) : shown
    return [...named.map((one, at) => valueLike(one, came[at])), ...(isOpen ? came.slice(named.length) : [])]
  }
  if (!isObject(shown) || !isObject(came)) return shown
  const { '…': rest, ...named } = shown
  const like = Object.fromEntries(Object.entries(named).map(([name, value]) => [name, valueLike(value, came[name])]))
  return rest === undefined ? like : { ...like, ...omit(came, Object.keys(named)) }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function omit(from: Readonly<Record<string, unknown>>, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(from).filter(([name]) => !names.includes(name)))
}

/** An answer as `curl -i` shows it. Of its headers a page shows those that matter. */
function answerPair(shown: string, came: string): [unknown, unknown] {
  const [expected, actual] = [readAnswer(shown), readAnswer(came)]
  const headers = Object.keys(expected.headers)
  const seen = {
    status: actual.status,
    headers: Object.fromEntries(headers.map((name) => [name, actual.headers[name]])),
  }
  const like = valueLike({ status: expected.status, headers: expected.headers }, seen)
  const bodies = expected.body.trim() === '' ? ['', ''] : bodyPair(expected.body, actual.body)
  return [
    [like, bodies[0]],
    [seen, bodies[1]],
  ]
}

function bodyPair(shown: string, came: string): [unknown, unknown] {
  return /^\s*[[{]/.test(shown) ? jsonPair(shown, came) : [shown.trim(), came.trim()]
}

function readAnswer(text: string) {
  const [head = '', ...rest] = text.replaceAll('\r', '').split('\n\n')
  const [status = '', ...fields] = head.trimEnd().split('\n')
  const headers: Record<string, string> = {}
  for (const field of fields) {
    const colon = field.indexOf(':')
    headers[field.slice(0, colon).toLowerCase()] = field.slice(colon + 1).trim()
  }
  return { status: status.trim(), headers, body: rest.join('\n\n') }
}

function textPair(shown: string, came: string): [unknown, unknown] {
  return [textLike(lines(shown), lines(came)).join('\n'), lines(came).join('\n')]
}

function lines(text: string): readonly string[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => line.trimEnd())
}

/** Line by line; a line that is `…` stands for all lines up to one like the next that is shown. */
function textLike(shown: readonly string[], came: readonly string[]): readonly string[] {
  const like: string[] = []
  for (const [at, line] of shown.entries()) {
    if (line.trim() !== '…') {
      like.push(lineLike(line, came[like.length] ?? ''))
      continue
    }
    const next = shown[at + 1]
    const isNext = (one: string) => next !== undefined && lineLike(next, one) === one
    const end = next === undefined ? came.length : came.findIndex((one, index) => index >= like.length && isNext(one))
    like.push(...(end < 0 ? [line] : came.slice(like.length, end)))
  }
  return like
}

const guid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g
const moment = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g
const logMoment = /\b\d\d\/\d\d\/\d{4}:\d\d:\d\d:\d\d [+-]\d{4}/g
const day = /\b\d{4}-\d\d-\d\d\b(?!T)/g
const duration = /\b\d+(?:\.\d+)? ?(?:ms|s)\b/g

/** What a run makes anew, and whether what came is that and not a value that the page gave. */
const fresh: readonly [RegExp, (came: string) => boolean][] = [
  [guid, () => true],
  [moment, (came) => Math.abs(Date.now() - Date.parse(came)) < 600_000],
  [logMoment, () => true],
  [day, (came) => Math.abs(Date.now() - Date.parse(came)) < 2 * 86_400_000],
  [duration, () => true],
]

function lineLike(shown: string, came: string): string {
  let like = shown
  for (const [pattern, isFresh] of fresh) {
    const values = came.match(pattern) ?? []
    let at = 0
    like = like.replace(pattern, (one) => {
      const value = values[at++]
      return value !== undefined && isFresh(value) ? value : one
    })
  }
  return isLike(like, came) ? came : like
}

/** Whether it is the same, but for what `…` stands for. */
function isLike(shown: string, came: string): boolean {
  const parts = shown.split('…').map((part) => RegExp.escape(part))
  return parts.length > 1 && new RegExp(`^${parts.join('.*')}$`, 's').test(came)
}

/**
 * Compares the output on a page with the actual output. Only values that are new at every run may differ: times of this
 * run, GUIDs and durations. `…` matches anything: at the end of an object or a list, as a line, or within a text.
 */
import { AssertionError } from 'node:assert'
import { isDeepStrictEqual } from 'node:util'

/** Throws if a reader would see another output. */
export function compare(language: string, pageOutput: string, actual: string): void {
  const pairOf = language === 'json' ? jsonPair : language === 'http' ? responsePair : textPair
  expectSame(...pairOf(pageOutput, actual))
}

function expectSame(expected: unknown, actual: unknown): void {
  // Properties must have the order of the page, because a reader compares by eye.
  if (isDeepStrictEqual(expected, actual) && JSON.stringify(expected) === JSON.stringify(actual)) return
  throw new AssertionError({ message: 'The output differs from the page.', expected, actual, operator: 'toEqual' })
}

function jsonPair(pageOutput: string, actual: string): [unknown, unknown] {
  let output: unknown
  try {
    output = JSON.parse(actual)
  } catch {
    throw new AssertionError({ message: 'The output is not valid JSON.', expected: pageOutput, actual })
  }
  return [expectedValue(readPageJson(pageOutput), output), output]
}

/** JSON in which `…` may be the last element of an object or a list. */
function readPageJson(pageOutput: string): unknown {
  return JSON.parse(pageOutput.replace(/…(?=\s*\})/g, '"…": "…"').replace(/…(?=\s*\])/g, '"…"'))
}

/** The expected value, with variable parts taken from the actual value. */
function expectedValue(pageOutput: unknown, actual: unknown): unknown {
  if (typeof pageOutput === 'string' && typeof actual === 'string') return expectedLine(pageOutput, actual)
  if (Array.isArray(pageOutput) && Array.isArray(actual)) {
    const isOpen = pageOutput.at(-1) === '…'
    const expectedItems = isOpen ? pageOutput.slice(0, -1) : pageOutput
    return [
      ...expectedItems.map((item, index) => expectedValue(item, actual[index])),
      ...(isOpen ? actual.slice(expectedItems.length) : []),
    ]
  }
  if (!isObject(pageOutput) || !isObject(actual)) return pageOutput
  const { '…': ellipsis, ...expectedProperties } = pageOutput
  const like = Object.fromEntries(
    Object.entries(expectedProperties).map(([name, value]) => [name, expectedValue(value, actual[name])]),
  )
  return ellipsis === undefined ? like : { ...like, ...omit(actual, Object.keys(expectedProperties)) }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function omit(from: Readonly<Record<string, unknown>>, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(from).filter(([name]) => !names.includes(name)))
}

/** A response as `curl -i` shows it. A page shows only some of its headers. */
function responsePair(pageOutput: string, response: string): [unknown, unknown] {
  const [expected, actual] = [readResponse(pageOutput), readResponse(response)]
  const headers = Object.keys(expected.headers)
  const actualPart = {
    status: actual.status,
    headers: Object.fromEntries(headers.map((name) => [name, actual.headers[name]])),
  }
  const like = expectedValue({ status: expected.status, headers: expected.headers }, actualPart)
  const bodies = expected.body.trim() === '' ? ['', ''] : bodyPair(expected.body, actual.body)
  return [
    [like, bodies[0]],
    [actualPart, bodies[1]],
  ]
}

function bodyPair(pageOutput: string, actual: string): [unknown, unknown] {
  return /^\s*[[{]/.test(pageOutput) ? jsonPair(pageOutput, actual) : [pageOutput.trim(), actual.trim()]
}

function readResponse(text: string) {
  const [head = '', ...bodyParts] = text.replaceAll('\r', '').split('\n\n')
  const [status = '', ...fields] = head.trimEnd().split('\n')
  const headers: Record<string, string> = {}
  for (const field of fields) {
    const colon = field.indexOf(':')
    headers[field.slice(0, colon).toLowerCase()] = field.slice(colon + 1).trim()
  }
  return { status: status.trim(), headers, body: bodyParts.join('\n\n') }
}

function textPair(pageOutput: string, actual: string): [unknown, unknown] {
  return [expectedLines(lines(pageOutput), lines(actual)).join('\n'), lines(actual).join('\n')]
}

function lines(text: string): readonly string[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => line.trimEnd())
}

/** Line by line; a line with `…` stands for all lines up to the next line of the page. */
function expectedLines(pageOutput: readonly string[], actual: readonly string[]): readonly string[] {
  const like: string[] = []
  for (const [index, line] of pageOutput.entries()) {
    if (line.trim() !== '…') {
      like.push(expectedLine(line, actual[like.length] ?? ''))
      continue
    }
    const next = pageOutput[index + 1]
    const isNext = (candidate: string) => next !== undefined && expectedLine(next, candidate) === candidate
    const end =
      next === undefined
        ? actual.length
        : actual.findIndex((candidate, position) => position >= like.length && isNext(candidate))
    like.push(...(end < 0 ? [line] : actual.slice(like.length, end)))
  }
  return like
}

const guid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g
const timestamp = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g
const logTimestamp = /\b\d\d\/\d\d\/\d{4}:\d\d:\d\d:\d\d [+-]\d{4}/g
const day = /\b\d{4}-\d\d-\d\d\b(?!T)/g
const duration = /\b\d+(?:\.\d+)? ?(?:ms|s)\b/g

/** Values that are new at every run, and whether an actual value is new and not set by the page. */
const variablePatterns: readonly [RegExp, (value: string) => boolean][] = [
  [guid, () => true],
  [timestamp, (value) => Math.abs(Date.now() - Date.parse(value)) < 600_000],
  [logTimestamp, () => true],
  [day, (value) => Math.abs(Date.now() - Date.parse(value)) < 2 * 86_400_000],
  [duration, () => true],
]

function expectedLine(pageOutput: string, actual: string): string {
  let like = pageOutput
  for (const [pattern, isFresh] of variablePatterns) {
    const values = actual.match(pattern) ?? []
    let index = 0
    like = like.replace(pattern, (text) => {
      const value = values[index++]
      return value !== undefined && isFresh(value) ? value : text
    })
  }
  return matchesText(like, actual) ? actual : like
}

/** Whether the texts are equal, apart from `…`. */
function matchesText(pageOutput: string, actual: string): boolean {
  const parts = pageOutput.split('…').map((part) => RegExp.escape(part))
  return parts.length > 1 && new RegExp(`^${parts.join('.*')}$`, 's').test(actual)
}

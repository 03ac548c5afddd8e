/** One answer of a list, read as a page. */
import { isObject } from '@nomen/core/openapi'
import type { JsonObject } from '../../document/read-document.ts'
import { type Evidence, Fault } from '../finding.ts'
import type { Answer } from './exchange.ts'

export interface PageInfo {
  readonly pageSize: number
  readonly pageNumber: number
  readonly numberOfPages: number
  readonly numberOfRecords: number
}

export interface Page {
  readonly answer: Answer
  /** Absent for a plain array. */
  readonly info?: PageInfo
  readonly results: readonly JsonObject[]
}

const members = ['pageSize', 'pageNumber', 'numberOfPages', 'numberOfRecords'] as const

/** What keeps an answer from being a page; undefined where it is one. */
export function pageFault(answer: Answer, isPaginated: boolean): Evidence | undefined {
  const { json } = answer
  const envelope = `an object with pageInfo and results`
  const fault = (expected: string, actual: string): Evidence => ({ expected, actual, answer })
  if (!isPaginated)
    return Array.isArray(json) ? undefined : fault('an array, as the document says', `the body is ${kindOf(answer)}`)
  if (!isObject(json)) return fault(envelope, `the body is ${kindOf(answer)}`)
  if (!isObject(json.pageInfo)) return fault(envelope, `there is no object pageInfo among ${namesOf(json)}`)
  if (!Array.isArray(json.results)) return fault(envelope, `there is no array results among ${namesOf(json)}`)
  for (const name of members) {
    const value = json.pageInfo[name]
    if (!Number.isInteger(value) || Number(value) < 0)
      return fault(`pageInfo.${name} as an integer`, `it is ${JSON.stringify(value) ?? 'missing'}`)
  }
  return undefined
}

/** A fault where it is none. */
export function pageOf(answer: Answer, isPaginated: boolean): Page {
  const fault = pageFault(answer, isPaginated)
  if (fault) throw new Fault(fault)
  const { json } = answer
  if (Array.isArray(json)) return { answer, results: json.filter(isObject) }
  const { pageInfo, results } = json as unknown as { pageInfo: PageInfo; results: JsonObject[] }
  return { answer, info: pageInfo, results }
}

function kindOf({ json, text }: Answer): string {
  if (json === undefined) return text === '' ? 'empty' : 'no JSON'
  if (Array.isArray(json)) return 'an array'
  return isObject(json) ? `an object with ${namesOf(json)}` : JSON.stringify(json)
}

function namesOf(json: JsonObject): string {
  return Object.keys(json).join(', ') || 'no properties'
}

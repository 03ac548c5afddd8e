/** Reads the response of a list as a page. */
import type { PageInfo } from '@nomen/core'
import { isObject } from '@nomen/core/openapi'
import type { JsonObject } from '../../document/read-document.ts'
import { type Evidence, Fault } from '../finding.ts'
import type { CheckResponse } from './exchange.ts'

export interface Page {
  readonly response: CheckResponse
  /** Undefined for a plain array. */
  readonly info?: PageInfo
  readonly results: readonly JsonObject[]
}

const members = ['pageSize', 'pageNumber', 'numberOfPages', 'numberOfRecords'] as const

/** Why a response is not a page; undefined if it is one. */
export function pageFault(response: CheckResponse, isPaginated: boolean): Evidence | undefined {
  const { json } = response
  const envelope = `an object with pageInfo and results`
  const fault = (expected: string, actual: string): Evidence => ({ expected, actual, response })
  if (!isPaginated)
    return Array.isArray(json) ? undefined : fault('an array, as in the document', `the body is ${kindOf(response)}`)
  if (!isObject(json)) return fault(envelope, `the body is ${kindOf(response)}`)
  if (!isObject(json.pageInfo)) return fault(envelope, `the body has no object pageInfo, but ${namesOf(json)}`)
  if (!Array.isArray(json.results)) return fault(envelope, `the body has no array results, but ${namesOf(json)}`)
  for (const name of members) {
    const value = json.pageInfo[name]
    if (!Number.isInteger(value) || Number(value) < 0)
      return fault(`pageInfo.${name} as an integer`, `it is ${JSON.stringify(value) ?? 'missing'}`)
  }
  return undefined
}

/** Throws a Fault if the response is not a page. */
export function pageOf(response: CheckResponse, isPaginated: boolean): Page {
  const fault = pageFault(response, isPaginated)
  if (fault) throw new Fault(fault)
  const { json } = response
  if (Array.isArray(json)) return { response, results: json.filter(isObject) }
  const { pageInfo, results } = json as unknown as { pageInfo: PageInfo; results: JsonObject[] }
  return { response, info: pageInfo, results }
}

function kindOf({ json, text }: CheckResponse): string {
  if (json === undefined) return text === '' ? 'empty' : 'not JSON'
  if (Array.isArray(json)) return 'an array'
  return isObject(json) ? `an object with ${namesOf(json)}` : JSON.stringify(json)
}

function namesOf(json: JsonObject): string {
  return Object.keys(json).join(', ') || 'no properties'
}

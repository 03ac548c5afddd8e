/** The records in the body of a response. */
import { text } from '../language/language.ts'
import { isObject, type Json } from '../model/service/openapi.ts'
import type { Collection } from '../model/service/service.ts'

export interface PageInfo {
  readonly pageSize: number
  readonly pageNumber: number
  readonly numberOfPages: number
  readonly numberOfRecords: number
}

export interface Page {
  readonly records: readonly Json[]
  /** Undefined if the list is a plain array. */
  readonly pageInfo: PageInfo | undefined
}

/** Reads the records of a list; `property` holds them, as the document says. */
export function pageFrom(body: unknown, property = 'results'): Page {
  if (Array.isArray(body)) return { records: body.filter(isObject), pageInfo: undefined }
  const records = isObject(body) ? (body[property] ?? body.results) : undefined
  if (!isObject(body) || !Array.isArray(records)) throw new Error(text().problem.badPage)
  return { records: records.filter(isObject), pageInfo: body.pageInfo as PageInfo | undefined }
}

/** The record in a response; some services put it into an object with one property. */
export function recordFrom({ wrapper = '' }: Collection, body: unknown): Json {
  const record = isObject(body) ? (body[wrapper] ?? body) : {}
  return isObject(record) ? record : {}
}

/** The record in the response to a request for it. */
export function readRecord(collection: Collection, body: unknown): Json {
  if (!isObject(body)) throw new Error(text().problem.badRecord)
  return recordFrom(collection, body)
}

/** Choices of a reader that the browser keeps. Without storage they last until the page is closed. */
import { requestQuery } from '../model/list/query.ts'
import type { Variant } from '../model/service/service.ts'

export function readPreference<Value>(key: string, initial: Value): Value {
  try {
    const stored = localStorage.getItem(`console.${key}`)
    return stored === null ? initial : (JSON.parse(stored) as Value)
  } catch {
    return initial
  }
}

/** Undefined forgets the choice. */
export function writePreference(key: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(`console.${key}`)
    else localStorage.setItem(`console.${key}`, JSON.stringify(value))
  } catch {
    // The page has the choice in its state.
  }
}

const sizeKey = 'page-size'
const initialSize = 25

export function keepPageSize(size: number): void {
  writePreference(sizeKey, size)
}

/** The query of a request for a page: with the chosen page size, unless the URL names one. */
export function pageQuery({ filters, pageSize }: Variant, pageUrl: URLSearchParams): URLSearchParams {
  const query = requestQuery(filters, pageUrl)
  if (!pageSize || query.has('pageSize')) return query
  const size = Number(readPreference(sizeKey, initialSize)) || initialSize
  return new URLSearchParams([...query, ['pageSize', `${Math.min(size, pageSize.maximum)}`]])
}

/** Preferences of the user, stored in the browser. Without storage they last until the page is closed. */
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

/** Undefined removes the preference. */
export function writePreference(key: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(`console.${key}`)
    else localStorage.setItem(`console.${key}`, JSON.stringify(value))
  } catch {
    // The page keeps the preference in its state.
  }
}

const sizeKey = 'page-size'
const initialSize = 25

export function writePageSize(size: number): void {
  writePreference(sizeKey, size)
}

/** The query of a request for a page: with the preferred page size, unless the URL names one. */
export function pageQuery({ filters, pageSize }: Variant, pageUrl: URLSearchParams): URLSearchParams {
  const query = requestQuery(filters, pageUrl)
  if (!pageSize || query.has('pageSize')) return query
  const size = Number(readPreference(sizeKey, initialSize)) || initialSize
  return new URLSearchParams([...query, ['pageSize', `${Math.min(size, pageSize.maximum)}`]])
}

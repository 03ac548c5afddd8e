/** Unsaved input of a form, kept while the page leaves for a sign-in at a provider. */
import type { Values } from '../model/record/values.ts'
import { router } from './router.ts'

interface Draft {
  readonly path: string
  /** The changed fields. */
  readonly values: Values
}

const key = 'console.draft'

/** Reads the unsaved input of the form on the page; undefined without any. */
let readInput: (() => Values | undefined) | undefined

/** The form on the page. Returns a function that removes it. */
export function registerForm(read: () => Values | undefined): () => void {
  readInput = read
  return () => {
    if (readInput === read) readInput = undefined
  }
}

/** Keeps the input before the page is left. The browser then need not warn about it. */
export function keepDraft(): void {
  const values = readInput?.()
  if (!values) return
  const draft: Draft = { path: router.address().path, values }
  sessionStorage.setItem(key, JSON.stringify(draft))
  router.guard(false)
}

/** The kept input of the form at the current URL. */
export function draftValues(): Values | undefined {
  const stored = sessionStorage.getItem(key)
  if (stored === null) return undefined
  const { path, values } = JSON.parse(stored) as Draft
  return path === router.address().path ? values : undefined
}

export function forgetDraft(): void {
  sessionStorage.removeItem(key)
}

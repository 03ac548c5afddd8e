/** Unsaved input of forms, kept while the page leaves for a sign-in at a provider. */
import type { Values } from '../model/record/values.ts'
import { router } from './router.ts'

/** The changed fields of each form, by its path. */
type Drafts = { readonly [path: string]: Values }

const key = 'console.draft'

/** Reads the unsaved input of each form on the page; undefined without any. */
const forms = new Map<string, () => Values | undefined>()

/** A form on the page. Returns a function that removes it. */
export function registerForm(path: string, read: () => Values | undefined): () => void {
  forms.set(path, read)
  return () => {
    if (forms.get(path) === read) forms.delete(path)
  }
}

/** Keeps the input before the page is left. The browser then need not warn about it. */
export function saveDrafts(): void {
  const drafts = [...forms].flatMap(([path, read]) => {
    const values = read()
    return values ? [[path, values]] : []
  })
  if (drafts.length === 0) return
  sessionStorage.setItem(key, JSON.stringify(Object.fromEntries(drafts)))
  router.clearGuards()
}

/** The kept input of a form. */
export function draftValues(path: string): Values | undefined {
  return readDrafts()[path]
}

export function removeDraft(path: string): void {
  const { [path]: _, ...others } = readDrafts()
  if (Object.keys(others).length === 0) sessionStorage.removeItem(key)
  else sessionStorage.setItem(key, JSON.stringify(others))
}

function readDrafts(): Drafts {
  return JSON.parse(sessionStorage.getItem(key) ?? '{}') as Drafts
}

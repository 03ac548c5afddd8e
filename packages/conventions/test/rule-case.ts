/** Ways to break a document, each with the rule of the linter that finds it. */
import type { Loose } from './good-document.ts'

export const rename = (paths: Loose, from: string, to: string) => {
  for (const path of Object.keys(paths)) {
    const renamed = path.replace(from, to)
    if (renamed === path) continue
    paths[renamed] = paths[path]
    delete paths[path]
  }
}
export const schemas = (document: Loose) => document.components.schemas
export const users = (document: Loose) => document.paths['/v1/user'].get
export const user = (document: Loose) => document.paths['/v1/user/{id}']
export const shown = (operation: Loose) => operation.responses[200].content['application/json']
export const text = { type: 'string' }

export interface Case {
  readonly code: string
  readonly why: string
  readonly breaks: (document: Loose) => void
  /** The messages of its findings. */
  readonly messages: readonly string[]
}

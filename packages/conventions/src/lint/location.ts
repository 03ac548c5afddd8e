/** The location of a finding: a file and a JSON pointer. */
import type { Json } from '@nomen/core/openapi'
import type { DocumentFile } from '../document/document-file.ts'

/** A linted file: part of a document, or a service file. */
export interface LintFile {
  /** A path relative to the current folder, or a URL. */
  readonly name: string
  /** Absent for declarations, whose lines are not known. */
  readonly source?: DocumentFile
  readonly parsed?: Json
}

export interface Location {
  readonly file: LintFile
  /** A JSON pointer such as `/paths/~1user/get`; of declarations `/directory/user.list`: the api and the operation. */
  readonly pointer: string
}

export function below(location: Location, ...names: readonly (string | number)[]): Location {
  return {
    file: location.file,
    pointer: names.reduce<string>((parent, name) => `${parent}/${escapeName(name)}`, location.pointer),
  }
}

/** The key of a location in maps and sets. */
export function keyOf({ file, pointer }: Location): string {
  return `${file.name}#${pointer}`
}

function escapeName(name: string | number): string {
  return `${name}`.replaceAll('~', '~0').replaceAll('/', '~1')
}

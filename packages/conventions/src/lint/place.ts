/** A place of a finding: a file and a JSON pointer into it. */
import type { Json } from '@nomen/core/openapi'
import type { DocumentFile } from '../document/document-file.ts'

/** A file that is linted: one of a document's, or a service file. */
export interface LintFile {
  /** As it is shown: relative to the working folder, or a URL. */
  readonly name: string
  /** Absent for declarations, whose lines are not known. */
  readonly source?: DocumentFile
  readonly parsed?: Json
}

export interface Place {
  readonly file: LintFile
  /** A JSON pointer such as `/paths/~1user/get`; of declarations `/directory/user.list`: the api and the operation. */
  readonly pointer: string
}

export function below(place: Place, ...names: readonly (string | number)[]): Place {
  return { file: place.file, pointer: names.reduce<string>((at, name) => `${at}/${escaped(name)}`, place.pointer) }
}

/** One text for one place, for maps and sets. */
export function keyOf({ file, pointer }: Place): string {
  return `${file.name}#${pointer}`
}

function escaped(name: string | number): string {
  return `${name}`.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** Where something stands: in which file, and where in it. */
import type { DocumentFile } from '../document/document-file.ts'
import type { Json } from '../document/read-document.ts'

/** A file that is linted: one of a document's, or a service file. */
export interface LintFile {
  /** As it is shown: relative to the working folder, or an address. */
  readonly name: string
  /** Absent for declarations, whose lines nobody knows. */
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

export function namesOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function escaped(name: string | number): string {
  return `${name}`.replaceAll('~', '~0').replaceAll('/', '~1')
}

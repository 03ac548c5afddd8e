/** Collects the errors of several declarations, so that all of them are reported together. */
import { originOf, recordOrigins } from '../field/origin.ts'
import { asOneError, DeclarationError } from './error.ts'

/**
 * Runs independent checks and throws one `DeclarationError` with the errors of all of them.
 *
 * @example
 * ```ts
 * checkAll([() => operations(directory), () => noun('Note', { id: identity() })])
 * ```
 *
 * @throws DeclarationError if a check fails
 */
export function checkAll(checks: Iterable<() => void>): void {
  const errors: DeclarationError[] = []
  for (const check of checks) {
    try {
      check()
    } catch (error) {
      if (error instanceof DeclarationError) addNew(errors, error)
      // An error of another class is a consequence of the errors before it.
      else if (errors.length === 0) throw error
    }
  }
  const [first, ...others] = errors
  if (first) throw asOneError([first, ...others])
}

/** Adds errors that are not in the list yet: several checks may find the same mistake. */
function addNew(errors: DeclarationError[], { errors: newErrors }: DeclarationError): void {
  for (const error of newErrors) if (!errors.some(({ message }) => message === error.message)) errors.push(error)
}

/** Runs a check of a field. If the line of the field is known, the stack of an error points to it. */
export function checkAt(spec: object, check: () => void): void {
  try {
    check()
  } catch (error) {
    const origin = originOf(spec)
    if (origin && error instanceof DeclarationError)
      error.stack = `${error.name}: ${error.message}\n${origin.stack?.slice(origin.stack.indexOf('\n') + 1)}`
    throw error
  }
}

interface Collection {
  readonly errors: DeclarationError[]
  /** Declarations that have mistakes, or contain declarations that have them. */
  readonly faulty: WeakSet<object>
}

/** Module state, because an import takes no parameter: set while a service file is imported. */
let collection: Collection | undefined

/**
 * Checks a declaration and returns it. While errors are collected, it returns a faulty declaration too, so that the
 * next ones are checked. Declarations that contain a faulty one are not checked.
 */
export function declare<Declared extends object>(
  declaration: Declared,
  usedDeclarations: readonly object[],
  check: () => void,
): Declared {
  if (!collection) check()
  else if (usedDeclarations.some((used) => collection?.faulty.has(used))) collection.faulty.add(declaration)
  else collectFrom(collection, declaration, check)
  return declaration
}

function collectFrom({ errors, faulty }: Collection, declaration: object, check: () => void): void {
  try {
    check()
  } catch (error) {
    if (!(error instanceof DeclarationError)) throw error
    addNew(errors, error)
    faulty.add(declaration)
  }
}

/**
 * Collects the declaration errors of a function, such as the import of a service file, instead of throwing the first
 * one. If there are errors, the result may be missing.
 *
 * @example
 * ```ts
 * const { result, errors } = await collectDeclarationErrors(() => import('./service.ts'))
 * for (const { message } of errors) console.error(message)
 * ```
 */
export async function collectDeclarationErrors<Result>(
  work: () => Promise<Result>,
): Promise<{ readonly result?: Result; readonly errors: readonly DeclarationError[] }> {
  const errors: DeclarationError[] = []
  collection = { errors, faulty: new WeakSet() }
  recordOrigins(true)
  try {
    return { result: await work(), errors }
  } catch (error) {
    if (error instanceof DeclarationError) addNew(errors, error)
    // An error of another class is a consequence of the errors before it.
    else if (errors.length === 0) throw error
    return { errors }
  } finally {
    collection = undefined
    recordOrigins(false)
  }
}

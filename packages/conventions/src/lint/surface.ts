/** What is linted, whatever it was written as: the operations of an api with their paths, parameters and shapes. */
import type { Place } from './place.ts'

export interface Surface {
  readonly root: Place
  readonly operations: readonly SurfaceOperation[]
  /** What is sent to others, by webhooks and callbacks: it has names, and its paths are not the api's own. */
  readonly messages?: readonly SurfaceOperation[]
  /** Segments that are said to be singular, whatever they look like. */
  readonly singular?: readonly string[]
}

export interface SurfaceOperation {
  /** In small letters. */
  readonly method: string
  readonly path: string
  readonly place: Place
  /** Of the path itself; every operation on it has the same. */
  readonly pathPlace: Place
  readonly segments: readonly Segment[]
  /** Whether it is an operation of the service's own: it has names, and is neither a list nor a write of a record. */
  readonly isCustom: boolean
  /** Those of the query. */
  readonly parameters: readonly SurfaceParameter[]
  readonly body?: SurfaceContent
  /** By status, such as `200`, `4XX` or `default`. */
  readonly responses: ReadonlyMap<string, SurfaceContent>
}

export interface Segment {
  readonly text: string
  readonly isParameter: boolean
  /** The path up to here with its parameters unnamed: `/user/{}/role`. */
  readonly prefix: string
}

export interface SurfaceParameter {
  readonly name: string
  readonly place: Place
  readonly isRequired: boolean
  readonly shape: Shape
}

/** A body of a request or a response; `shape` is absent where it is not told. */
export interface SurfaceContent {
  readonly place: Place
  readonly shape?: Shape
}

export interface Shape {
  readonly place: Place
  readonly type: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean' | undefined
  /** What a document calls it, such as `User` of `#/components/schemas/User`. */
  readonly name?: string
  readonly properties: ReadonlyMap<string, ShapeProperty>
  readonly items?: Shape | undefined
  /** Whether its values are named one by one. */
  readonly isChoice?: boolean
  /** Whether it may have properties that are not told, or one of several sets of them. */
  readonly isOpen: boolean
}

export interface ShapeProperty {
  readonly name: string
  readonly place: Place
  readonly shape: Shape
  readonly isRequired: boolean
  readonly isReadOnly: boolean
  readonly isWriteOnly: boolean
}

/** The parts of a path between its slashes. The empty text after a slash at the end is one too. */
export function segmentsOf(path: string): readonly Segment[] {
  let prefix = ''
  return path
    .replace(/^\//, '')
    .split('/')
    .map((text) => {
      const isParameter = /^\{[^{}]*\}$/.test(text)
      prefix += isParameter ? '/{}' : `/${text}`
      return { text, isParameter, prefix }
    })
}

/** Mistakes in a resource that its type alone would accept: the compiler quotes what these types say. */
import type { Reference } from '../field/field.ts'

/** Anything where nothing is wrong; else no options can be of the type, whose text says why. */
export type ResourceMistake<N, Unique, O> = {
  readonly summary?: Within<O, 'summary', O extends { list: unknown } ? 'list' : 'complete'>
  readonly list?: Within<O, 'list', O extends { detail: readonly string[] } ? 'detail' : 'complete'>
  readonly detail?: Within<O, 'detail', 'complete'>
  readonly by?: Told<Exclude<Names<O, 'by'>, Unique>, "' is not unique: declare it with unique()", "'">
  readonly children?: O extends { children: readonly (infer Child)[] }
    ? Told<Unrelated<N, Child>, `' has no reference to '${NameOf<N>}': say how they are related by via`, "'">
    : unknown
}

/** Each list shape holds at least the properties of the smaller one. */
type Within<O, Small extends string, Large extends string> = O extends { [L in Large]: readonly unknown[] }
  ? Told<Exclude<Names<O, Small>, Names<O, Large>>, `', which ${Large} does not`, `${Small} shows '`>
  : unknown

/** A text about the wrong names; anything where there are none. */
type Told<Wrong, Text extends string, Start extends string> = [Wrong] extends [never]
  ? unknown
  : `${Start}${Wrong & string}${Text}`

type Names<O, Option extends string> = O extends { [S in Option]: readonly (infer Name extends string)[] }
  ? Name
  : never

type NameOf<N> = N extends { readonly name: infer Name extends string } ? Name : string

/** The names of children that are related to a noun neither by a reference of theirs nor by what they say themselves. */
type Unrelated<N, Child> = Child extends { readonly noun: infer Own; readonly options: infer Options }
  ? Options extends { readonly via: unknown }
    ? never
    : NameOf<N> extends Targets<Own>
      ? never
      : string extends NameOf<N> | NameOf<Own>
        ? never
        : NameOf<Own>
  : never

/** The names of all nouns that a noun points at. */
type Targets<N> = N extends { readonly fields: infer Declared }
  ? {
      [K in keyof Declared]: Declared[K] extends Reference<infer Target, infer _> ? Aim<Target> : never
    }[keyof Declared]
  : never
type Aim<Target> = Target extends () => infer Noun ? NameOf<Noun> : never

/** Compile errors for mistakes that `ResourceOptions` accepts: the compiler prints these messages. */
import type { Reference } from '../field/field.ts'
import type { change } from '../noun/change.ts'

/** `unknown` for each correct option; otherwise a string type that no value has, which the compiler prints. */
export type ValidResourceOptions<N, Unique, O> = {
  readonly summary?: Within<O, 'summary', O extends { list: unknown } ? 'list' : 'complete'>
  readonly list?: Within<O, 'list', O extends { detail: readonly string[] } ? 'detail' : 'complete'>
  readonly detail?: Within<O, 'detail', 'complete'>
  readonly by?: ErrorText<Exclude<Names<O, 'by'>, Unique>, "' is not unique: add unique() to the field", "'">
  readonly children?: O extends { children: readonly (infer Child)[] }
    ? ErrorText<Unrelated<N, Child>, `' has no reference to '${NameOf<N>}': add via`, "'">
    : unknown
}

/** Each shape must have all properties of the smaller one. */
type Within<O, Small extends string, Large extends string> = O extends { [L in Large]: readonly unknown[] }
  ? ErrorText<Exclude<Names<O, Small>, Names<O, Large>>, `', but ${Large} does not`, `${Small} has '`>
  : unknown

/** A message with the wrong names; `unknown` if there are none. */
type ErrorText<Wrong, Text extends string, Start extends string> = [Wrong] extends [never]
  ? unknown
  : `${Start}${Wrong & string}${Text}`

type Names<O, Option extends string> = O extends { [S in Option]: readonly (infer Name extends string)[] }
  ? Name
  : never

type NameOf<N> = N extends { readonly name: infer Name extends string } ? Name : string

/** The names of children that have neither a reference to the noun nor the option `via`. */
type Unrelated<N, Child> = Child extends { readonly noun: infer Own; readonly options: infer Options }
  ? Options extends { readonly via: unknown }
    ? never
    : NameOf<N> extends Targets<Own> | RecordedName<N, Own>
      ? never
      : string extends NameOf<N> | NameOf<Own>
        ? never
        : NameOf<Own>
  : never

/** The name of a noun with history, above its history entries. */
type RecordedName<N, Own> = Own extends typeof change
  ? N extends { readonly options: { readonly history: true | object } }
    ? NameOf<N>
    : never
  : never

/** The names of all nouns that a noun refers to. */
type Targets<N> = N extends { readonly fields: infer Declared }
  ? {
      [K in keyof Declared]: Declared[K] extends Reference<infer Target, infer _> ? TargetName<Target> : never
    }[keyof Declared]
  : never
type TargetName<Target> = Target extends () => infer Noun ? NameOf<Noun> : never

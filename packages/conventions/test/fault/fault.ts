/** A fault that the library can have, and functions that change one part of its behavior. */
import type { CheckCode } from '@nomen/conventions'
import {
  type Behavior,
  correctBehavior,
  type LibraryRequest,
  type LibraryResponse,
  type Paging,
} from '../library-behavior.ts'
import type { Row } from '../library-data.ts'
import type { Part } from '../library-document.ts'

export interface Fault {
  readonly name: string
  readonly behavior: Partial<Behavior>
  readonly caughtBy: readonly CheckCode[]
}

export type Body = { pageInfo?: Record<string, unknown>; results?: Row[] } & Record<string, unknown>

/** Changes the body of successful responses to the selected requests. */
export function changeBody(
  isSelected: (request: LibraryRequest) => boolean,
  change: (body: Body, response: LibraryResponse, request: LibraryRequest) => unknown,
): Partial<Behavior> {
  return {
    onResponse: (response, request) => {
      if (response.status >= 300 || request.parts[0] === 'openapi.json' || !isSelected(request)) return response
      const body = structuredClone(response.body) as Body
      return { ...response, body: change(body, response, request) }
    },
  }
}

/** Changes the status of responses to the selected requests. */
export function changeStatus(
  isSelected: (request: LibraryRequest, response: LibraryResponse) => boolean,
  status: number,
): Partial<Behavior> {
  return { onResponse: (response, request) => (isSelected(request, response) ? { ...response, status } : response) }
}

export const isList = ({ method, parts }: LibraryRequest) =>
  method === 'GET' && parts.length % 2 === 1 && !parts[1]?.startsWith('by-')
export const isBookList = (request: LibraryRequest) =>
  isList(request) && request.parts.length === 1 && request.parts[0] === 'book'
const isRead = ({ method, parts }: LibraryRequest) => method === 'GET' && parts.length % 2 === 0
export const isBook = (request: LibraryRequest) =>
  isRead(request) && request.parts.length === 2 && request.parts[0] === 'book'
export const isMethod =
  (...methods: string[]) =>
  (request: LibraryRequest) =>
    methods.includes(request.method)
export const isByIsbn = ({ parts }: LibraryRequest) => parts[1] === 'by-isbn'
export const isMalformedJson = ({ text, type, method }: LibraryRequest) =>
  method === 'PATCH' && type === 'application/json' && text.startsWith('{"broken')
export const isPlainText = ({ type }: LibraryRequest) => type === 'text/plain'
export const valueAt = ({ query }: LibraryRequest, name: string) => query.find(([key]) => key === name)?.[1]

export const withoutParameters = (names: readonly string[]) => (request: LibraryRequest) => ({
  ...request,
  query: request.query.filter(([name]) => !names.includes(name)),
})

/** Keeps only the chosen values of each query parameter. */
export const chooseValues = (choose: (values: string[]) => string[]) => (request: LibraryRequest) => {
  const names = [...new Set(request.query.map(([name]) => name))]
  const values = (name: string) => request.query.filter(([key]) => key === name).map(([, value]) => value)
  return { ...request, query: names.flatMap((name) => choose(values(name)).map((value) => [name, value] as const)) }
}

export const changeDocument = (change: (paths: Part, whole: Part) => void): Partial<Behavior> => ({
  document: (whole) => {
    change(whole.paths, whole)
    return whole
  },
})

export const changePageInfo = (
  change: (pageInfo: Record<string, unknown>, page: Paging, total: number) => object,
): Partial<Behavior> => ({
  info: (page, total) => ({
    ...correctBehavior.info(page, total),
    ...change(correctBehavior.info(page, total), page, total),
  }),
})

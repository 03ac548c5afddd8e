/** The table of operations of a declared api as a surface. */
import { type AnyApi, type FieldSpec, fieldSchema, hasDefault, type Operation, operations, problems } from '@nomen/core'
import { below, type LintFile, type Place } from './place.ts'
import {
  type Shape,
  type ShapeProperty,
  type Surface,
  type SurfaceContent,
  type SurfaceOperation,
  type SurfaceParameter,
  segmentsOf,
} from './surface.ts'

export function tableSurface(api: AnyApi, file: LintFile): Surface {
  const root = below({ file, pointer: '' }, api.name)
  const table = operations(api)
  return { root, operations: table.map((one) => surfaceOperation(one, root)), singular: singularSegments(table) }
}

/** The segments of nouns that are declared with `{ isSingular: true }`. */
function singularSegments(table: readonly Operation[]): readonly string[] {
  const resources = table.flatMap(({ levels }) => levels.map(({ resource }) => resource))
  const meant = resources.filter(({ noun }) => noun.options.isSingular === true)
  return [...new Set(meant.map(({ noun, options }) => options.path ?? noun.name))]
}

function surfaceOperation(operation: Operation, root: Place): SurfaceOperation {
  const place = below(root, operation.id)
  const body = bodyOf(operation, below(place, 'body'))
  return {
    method: operation.method.toLowerCase(),
    path: operation.path,
    place,
    pathPlace: place,
    segments: segmentsOf(operation.path),
    isCustom: operation.custom !== undefined,
    parameters: parametersOf(operation, below(place, 'parameter')),
    ...(body && { body }),
    responses: responsesOf(operation, place),
  }
}

function parametersOf({ list, custom }: Operation, place: Place): SurfaceParameter[] {
  if (custom) return custom.query.map(({ name, spec }) => queryParameter(below(place, name), name, spec))
  return (list?.parameters ?? []).map((parameter) => {
    const { kind, name } = parameter
    const at = below(place, name)
    // Page parameters, the bounds of a range and filters of the service's own are given once, all others as often as one likes.
    const isOnce = kind === 'pageNumber' || kind === 'pageSize' || kind === 'range' || kind === 'custom'
    const one = 'spec' in parameter ? valueShape(at, parameter.spec) : scalar(at, isOnce ? 'integer' : 'string')
    return { name, place: at, isRequired: false, shape: isOnce ? one : arrayOf(at, one) }
  })
}

function queryParameter(place: Place, name: string, spec: FieldSpec): SurfaceParameter {
  return { name, place, isRequired: !hasDefault(spec), shape: valueShape(place, spec) }
}

function bodyOf({ body, kind }: Operation, place: Place): SurfaceContent | undefined {
  if (!body) return undefined
  const isRequired = (spec: FieldSpec) => {
    if (kind === 'create' || kind === 'custom')
      return !('default' in fieldSchema(spec)) && spec.defaultFrom === undefined
    return kind === 'replace'
  }
  const properties = body.properties.map(({ name, spec }) => property(place, name, spec, isRequired(spec)))
  return { place, shape: objectOf(place, properties) }
}

function responsesOf(operation: Operation, place: Place): Map<string, SurfaceContent> {
  const { status, shape, list, custom, problems: codes } = operation
  const at = below(place, 'response')
  const shown = custom ? custom.answer : shape.properties
  const record = objectOf(
    at,
    (shown ?? []).map(({ name, spec, label }) => {
      return label ? { ...plain(at, name, true), shape: scalar(at, 'string') } : property(at, name, spec, true)
    }),
  )
  const isArray = list ? !list.isPaginated : custom?.isList
  const answer = list?.isPaginated ? envelopeOf(at, record) : isArray ? arrayOf(at, record) : record
  const responses = new Map<string, SurfaceContent>(codes.map((code) => [`${problems[code][0]}`, { place }]))
  return responses.set(`${status}`, { place: at, ...(shown && { shape: answer }) })
}

function envelopeOf(place: Place, record: Shape): Shape {
  const names = ['pageSize', 'pageNumber', 'numberOfPages', 'numberOfRecords']
  const pageInfo = objectOf(
    below(place, 'pageInfo'),
    names.map((name) => ({ ...plain(place, name, true), shape: scalar(place, 'integer') })),
  )
  return objectOf(place, [
    { ...plain(place, 'pageInfo', true), shape: pageInfo },
    { ...plain(place, 'results', true), shape: arrayOf(place, record) },
  ])
}

function property(place: Place, name: string, spec: FieldSpec, isRequired: boolean): ShapeProperty {
  const made = plain(place, name, isRequired)
  return { ...made, shape: valueShape(made.place, spec), isReadOnly: spec.managed !== undefined }
}

function plain(place: Place, name: string, isRequired: boolean): Omit<ShapeProperty, 'shape'> {
  return { name, place: below(place, name), isRequired, isReadOnly: false, isWriteOnly: false }
}

function valueShape(place: Place, spec: FieldSpec): Shape {
  const [type] = [fieldSchema(spec).type].flat()
  return { ...scalar(place, type as Shape['type']), isChoice: spec.choices !== undefined }
}

const none: ReadonlyMap<string, ShapeProperty> = new Map()

function scalar(place: Place, type: Shape['type']): Shape {
  return { place, type, properties: none, isOpen: false }
}

function arrayOf(place: Place, items: Shape): Shape {
  return { place, type: 'array', properties: none, items, isOpen: false }
}

function objectOf(place: Place, properties: readonly ShapeProperty[]): Shape {
  return { place, type: 'object', properties: new Map(properties.map((one) => [one.name, one])), isOpen: false }
}

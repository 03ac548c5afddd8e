/** Faults of the OpenAPI document. */
import type { Part } from '../library-document.ts'
import { changeDocument, type Fault } from './fault.ts'

export const documentFaults: readonly Fault[] = [
  {
    name: 'some paths have a version and others do not',
    behavior: changeDocument((paths) => {
      paths['/v1/tag-cloud/{id}'] = paths['/tag/{id}']
    }),
    caughtBy: ['version-prefix'],
  },
  {
    name: 'a version is after the noun',
    behavior: changeDocument((paths) => {
      paths['/tag-cloud/v1/{id}'] = paths['/tag/{id}']
    }),
    caughtBy: ['version-prefix'],
  },
  {
    name: 'one noun is written below its parent, another at the root',
    behavior: changeDocument((paths) => {
      paths['/author/{authorId}/book/{id}'] = { get: paths['/book/{id}'].get }
    }),
    caughtBy: ['write-form'],
  },
  {
    name: 'a GET has a body in the document',
    behavior: changeDocument((paths) => {
      paths['/tag'].get.requestBody = { content: { 'application/json': { schema: {} } } }
    }),
    caughtBy: ['get-body'],
  },
  {
    name: 'the document lets PUT leave out a field',
    behavior: changeDocument((_, { components }) => components.schemas['book-update'].required.pop()),
    caughtBy: ['update-shape'],
  },
  {
    name: 'the document lets PATCH require a field',
    behavior: changeDocument((_, { components }) => {
      components.schemas['book-change'].required = ['title']
    }),
    caughtBy: ['update-shape'],
  },
  {
    name: 'the name of a filter differs from its property',
    behavior: changeDocument((paths) => {
      paths['/author'].get.parameters.find(({ name }: Part) => name === 'country').name = 'authorCountry'
    }),
    caughtBy: ['filter-name'],
  },
]

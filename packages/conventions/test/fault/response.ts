/** Faults of media types, properties and metadata of responses. */
import { changeBody, changeDocument, type Fault, isBook, isBookList } from './fault.ts'

export const responseFaults: readonly Fault[] = [
  {
    name: 'an identity is a string',
    behavior: changeBody(isBook, (body) => ({ ...body, id: `${body.id}` })),
    caughtBy: ['document-agrees', 'filter-equal', 'list-agrees', 'lookup', 'read', 'update-full-record'],
  },
  {
    name: 'a record has a property that the document lacks',
    behavior: changeBody(isBook, (body) => ({ ...body, extra: 1 })),
    caughtBy: ['document-agrees', 'lookup', 'update-full-record'],
  },
  {
    name: 'responses have the media type text/html',
    behavior: {
      onResponse: (response) => ({ ...response, headers: { ...response.headers, 'content-type': 'text/html' } }),
    },
    caughtBy: ['json-media-type'],
  },
  {
    name: 'the request ID is in the body',
    behavior: changeBody(isBookList, (body) => ({ ...body, requestId: 'x' })),
    caughtBy: ['metadata-in-header'],
  },
  {
    name: 'a reference is an object with an ID and a name',
    behavior: {
      ...changeBody(isBook, (body) => ({ ...body, author: { id: body.author, name: 'x' } })),
      ...changeDocument((_, { components }) => {
        components.schemas.book.properties.author = { type: 'object' }
      }),
    },
    caughtBy: ['create-kept', 'document-agrees', 'flat-record', 'lookup', 'put-complete', 'update-full-record'],
  },
]

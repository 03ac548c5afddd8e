/** Every check by its code. Codes are stable. */

/**
 * The conformance checks of `checkService`, by code: the expected behavior and the reason.
 *
 * @example
 * ```ts
 * const [what, why] = checks['get-body']
 * ```
 */
export const catalog = {
  // The document.
  'version-prefix': [
    'All paths start with one version prefix.',
    'With versioning: whole, all paths have the same version.',
  ],
  'write-form': ['Writes are below the parent or at the root, never both.', 'Clients need one rule for all writes.'],
  'get-body': ['No GET has a body.', 'Parameters of a read are in the query string.'],
  'update-shape': [
    'In the document, PUT requires all writable properties, and PATCH none.',
    'PUT replaces a record, and PATCH changes a part of it.',
  ],
  // Pages.
  envelope: [
    'A list is an object with results, and pageInfo with four integers. Below a parent, it may be a plain array.',
    'One parser reads all lists.',
  ],
  'page-arithmetic': [
    'numberOfPages and the length of each page match the totals.',
    'Pagination controls depend on them.',
  ],
  'page-echo': ['pageInfo has the requested pageSize and pageNumber.', 'The response says which page it contains.'],
  'page-walk': [
    'Each record is on exactly one page, and their number is numberOfRecords.',
    'A client that reads all pages gets every record once.',
  ],
  'page-order': [
    'Pages of another size have the same records in the same order.',
    'The order must not depend on pageSize.',
  ],
  'page-sorted': [
    'With sort, each record is on exactly one page.',
    'Records with equal sort values must not move between pages.',
  ],
  'page-default': ['Both page parameters are optional.', 'The service has defaults for pageNumber and pageSize.'],
  'page-size': ['The default pageSize is 10.', 'This is the usual default. Another one is allowed.'],
  'page-past-end': ['A page after the last one has no results.', 'The list has no more records.'],
  // Filters.
  'filter-equal': [
    'A filter returns the records with the value, and no others.',
    'Filters are named after properties.',
  ],
  'filter-any-of': ['A repeated filter matches any of its values.', 'A repeated parameter is an array.'],
  'filter-all-of': ['Different filters must all match.', 'Each filter restricts the list further.'],
  'filter-none': ['A value that no record has gives an empty list.', 'An empty result is not an error.'],
  'filter-name': ['A filter has exactly the name of its property.', 'Clients use one name for both.'],
  'include-present': [
    'An included record is listed even if the filters exclude it.',
    'A form must show the current value even if new records may not use it.',
  ],
  'include-counted': ['An included record is counted once.', 'The totals match the results.'],
  'include-position': [
    'An included record is on the page of its sort position.',
    'The sort order stays valid on every page.',
  ],
  // Records.
  read: ['A record of the list can be read by its ID.', 'Clients open a record from its list.'],
  'read-missing': ['A missing record gives 404.', 'Clients recognize a missing record by this status.'],
  'list-in-detail': [
    'A single record has every property of the list item.',
    'A client can replace the list item by the single record.',
  ],
  'list-agrees': ['List item and single record have the same values.', 'Clients use both for the same record.'],
  'variant-shape': [
    '-summary has no more properties than the default list, -detail no fewer.',
    'Each variant extends the smaller one.',
  ],
  'variant-agrees': ['Variants have the records and the values of the default list.', 'Only their properties differ.'],
  lookup: ['by-… returns the same record as a read by ID.', 'It is another path to the same record.'],
  'lookup-missing': [
    'by-… gives 404 if no record has the value.',
    'Clients recognize a missing record by this status.',
  ],
  'nested-belongs': ['A child refers to the parent in the path.', 'The path identifies the parent.'],
  'nested-missing-parent': [
    'Paths below a missing parent give 404.',
    'An empty list would look like a parent without children.',
  ],
  'nested-elsewhere': [
    'A child gives 404 below another parent.',
    'The path identifies the child together with its parent.',
  ],
  // Invalid requests.
  'unknown-parameter': ['An unknown list parameter is rejected.', 'A typo would return all records.'],
  'bad-page': [
    'Page parameters that are not positive integers are rejected.',
    'The caller would not notice the mistake.',
  ],
  'bad-identity': ['An ID of the wrong type gives 404.', 'No record can have it.'],
  'unknown-method': ['An unsupported method gives 405 with Allow.', 'HTTP requires the header.'],
  'unknown-path': ['An unknown path gives 404.', 'A typo in a path must be visible.'],
  // Writes.
  create: ['POST responds with 201.', 'A record was created.'],
  'create-location': ['POST responds with a Location that leads to the record.', 'The caller can find the new record.'],
  'create-kept': ['POST stores the values of the request.', 'No value is lost.'],
  'patch-subset': ['PATCH changes only the properties of the request.', 'The other properties keep their values.'],
  'put-complete': ['PUT accepts all writable properties, and stores them.', 'PUT replaces the full record.'],
  'put-requires-all': ['PUT without one of the writable properties is rejected.', 'PUT replaces the full record.'],
  'update-full-record': ['PUT and PATCH return the full record, as a read does.', 'Callers need no second request.'],
  'immutable-field': [
    'Read-only properties do not change, even if they are sent.',
    'The service controls IDs and timestamps.',
  ],
  'malformed-json': ['A body that is not valid JSON is rejected and changes nothing.', 'The request is invalid.'],
  'wrong-media-type': ['A body with another media type is rejected and changes nothing.', 'Bodies are JSON.'],
  'write-missing': ['PATCH of a missing record gives 404.', 'There is nothing to change.'],
  delete: ['DELETE responds with 200, with or without the deleted record.', 'Clients need one status for success.'],
  'delete-gone': ['A deleted record gives 404.', 'It no longer exists.'],
  'delete-twice': ['A second DELETE gives 200 or 404.', 'The conventions allow both.'],
  'delete-same-everywhere': ['All nouns use the same status for a second DELETE.', 'Clients need one rule.'],
  link: [
    'PUT of a link adds the record to the list of its parent. Repeating it has no further effect.',
    'Clients can repeat a request whose response was lost.',
  ],
  unlink: ['DELETE of a link removes the record from the list of its parent.', 'The record itself remains.'],
  cleanup: ['All records that the check created are deleted.', 'A check leaves no data behind.'],
  // Every response.
  'document-agrees': ['Responses have the shape of the document.', 'Clients are generated from the document.'],
  'json-media-type': ['Responses have the media type JSON.', 'Clients parse them by media type.'],
  'metadata-in-header': ['Request IDs and other metadata are in headers, never in a body.', 'Bodies are records.'],
  'flat-record': [
    'A reference is one property, not an object with an ID and a name.',
    'Clients send and filter by the same value.',
  ],
  // Malformed requests, with --fuzz.
  'fuzz-response': ['Every malformed request gets an HTTP response in time.', 'Clients must not wait forever.'],
  'fuzz-server-error': ['No malformed request gets 5xx.', 'Invalid input is not a fault of the service.'],
  'fuzz-problem': ['Every error is a problem document with the same status.', 'Programs read errors too.'],
  'fuzz-leak': ['No error reveals internals: stacks, files, SQL, exceptions.', 'Attackers must not learn from errors.'],
  'fuzz-document': [
    'Status, headers and shape of every response match the document.',
    'Generated clients rely on it for errors too.',
  ],
  'fuzz-side-effect': [
    'After the malformed requests, every list that returned 200 still does.',
    'A malformed request has no lasting effect.',
  ],
  // The access log.
  'log-line': ['Each request has a line in the access log within a second.', 'Usage is counted from the log.'],
  'fuzz-log': ['Each malformed request has exactly one line in the log.', 'No request can avoid or forge log lines.'],
  'log-format': ['Each line has the access-log format of the conventions.', 'Usage reports parse it.'],
} as const satisfies Readonly<Record<string, readonly [what: string, why: string]>>

/** The code of a conformance check. */
export type Code = keyof typeof catalog

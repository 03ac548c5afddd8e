/** Every check by its code: what it looks at, and why. Codes stay as they are. */

export const catalogue = {
  // The document alone.
  'version-prefix': ['All paths have one version prefix, in front.', 'A shared api is versioned as a whole.'],
  'write-form': [
    'Writes are below the parent or at the root, never both.',
    'One form, used consistently, can be guessed.',
  ],
  'get-body': ['No GET has a body.', 'Parameters of a read go in the query string.'],
  'update-shape': [
    'In the document, PUT requires every field that can be changed, and PATCH none.',
    'That is what tells the two verbs apart.',
  ],
  // Pages.
  envelope: [
    'A list is pageInfo with its four integers, and results; below a parent it may be a plain array.',
    'One reader reads all lists.',
  ],
  'page-arithmetic': [
    'numberOfPages and the length of each page follow from the totals.',
    'Pagers are drawn from them.',
  ],
  'page-echo': ['pageInfo has the pageSize and the pageNumber that were asked for.', 'The answer says what it is.'],
  'page-walk': [
    'All pages together have each record once, and numberOfRecords of them.',
    'Nothing is lost between pages.',
  ],
  'page-order': ['Pages of another size have the same records in the same order.', 'There is one natural order.'],
  'page-sorted': ['The same walk with sort: each record once.', 'Ties must not let records jump between pages.'],
  'page-default': ['Either page parameter may be left out.', 'The service has a default for each.'],
  'page-size': ['The default pageSize is 10.', 'It is the typical default, not a rule.'],
  'page-past-end': ['Past the last page there are no results.', 'A record has one page.'],
  // Filters.
  'filter-equal': [
    'A filter shows the records that have the value, and no others.',
    'Filters are named after properties.',
  ],
  'filter-any-of': ['A filter that is given twice matches any of the values.', 'A repeated parameter is an array.'],
  'filter-all-of': ['Different filters must all match.', 'Each narrows the list further.'],
  'filter-none': ['A value that no record has gives an empty list.', 'Nothing found is no error.'],
  'filter-name': ['A filter has the name of its property, and no other spelling of it.', 'Names map one to one.'],
  'include-present': ['An included record is there whatever the filters say.', 'A form shows what was chosen before.'],
  'include-counted': ['An included record is counted once.', 'The totals are those of what is shown.'],
  'include-position': ['An included record keeps its natural page.', 'It is not moved to the page that is asked for.'],
  // Records.
  read: ['A record of the list is read by its identity.', 'List and detail are two views of one record.'],
  'read-missing': ['A record that does not exist gives 404.', 'Nothing else says that it is not there.'],
  'list-in-detail': ['The single record has every property of the list.', 'It is the complete shape.'],
  'list-agrees': ['List and single record have the same values.', 'A list is not a copy that ages.'],
  'variant-shape': [
    '-summary has no more properties than the default list, -detail no fewer.',
    'They extend each other.',
  ],
  'variant-agrees': ['Variants have the records and the values of the default list.', 'Only their shape differs.'],
  lookup: ['by-… gives the record just as its identity does.', 'It is another path to the same record.'],
  'lookup-missing': ['by-… gives 404 where no record has the value.', 'The same as by identity.'],
  'nested-belongs': ['Children that name their parent name the one of the path.', 'The path says whose they are.'],
  'nested-missing-parent': ['Below a parent that does not exist there is nothing.', 'The path leads nowhere.'],
  'nested-elsewhere': ['A child is not found below another parent.', 'Its path names both.'],
  // What is refused.
  'unknown-parameter': ['A parameter that the list does not have is refused.', 'A typing error would show everything.'],
  'bad-page': ['Page parameters that are no integers from 1 are refused.', 'There is no such page.'],
  'bad-identity': ['An identity of the wrong kind is not found.', 'No record can have it.'],
  'unknown-method': ['A method that the path does not take gives 405 with Allow.', 'HTTP asks for the header.'],
  'unknown-path': ['A path that is not offered gives 404.', 'A typing error in a path must show.'],
  // Writes.
  create: ['POST answers 201.', 'A record was made.'],
  'create-location': ['POST answers with a Location, which leads to the record.', 'Whoever made it can find it.'],
  'create-kept': ['The new record has the values that were sent.', 'Nothing is lost on the way.'],
  'patch-subset': ['PATCH changes what is sent, and nothing else.', 'That is what it is for.'],
  'put-complete': ['PUT takes all fields that can be changed, and keeps them.', 'The full object is sent.'],
  'put-demands-all': ['PUT without one of these fields is refused.', 'Otherwise it would be a PATCH.'],
  'update-full-record': ['PUT and PATCH answer the full record as it is then read.', 'No second request is needed.'],
  'static-stays': ['Fields that are static stay as they are, sent or not.', 'Identity and history are the service’s.'],
  'malformed-json': ['A body that is no JSON is refused and changes nothing.', 'The fault is the request’s.'],
  'wrong-media-type': ['A body of another media type is refused and changes nothing.', 'Bodies are JSON.'],
  'write-missing': ['PATCH of a record that does not exist gives 404.', 'There is nothing to change.'],
  delete: ['DELETE answers 200.', 'With or without the record as it was.'],
  'delete-gone': ['A deleted record gives 404.', 'It does not exist any more.'],
  'delete-twice': ['Deleted again, a record gives 200 or 404.', 'One of the two is chosen for all.'],
  'delete-same-everywhere': ['That choice is the same everywhere.', 'Clients need one rule.'],
  link: ['PUT of a link adds the record to the list below, also when repeated.', 'A link is its own path.'],
  unlink: ['DELETE of a link takes the record out of the list below.', 'The record itself stays.'],
  cleanup: ['What the check made is deleted again.', 'A check leaves nothing behind.'],
  // Every answer.
  'document-agrees': [
    'Answers have the shape that the document promises.',
    'The document is what clients are made from.',
  ],
  'json-media-type': ['Answers say that they are JSON.', 'Clients read them by that.'],
  'metadata-in-header': ['Request ids and the like are in headers, never in a body.', 'Bodies are records.'],
  'flat-record': ['An object of an identity and a name is a single property.', 'Records are flat.'],
  // Requests that are bent, with --fuzz.
  'fuzz-answered': ['Whatever is wrong with a request, it is answered, in time and in HTTP.', 'Nobody waits for ever.'],
  'fuzz-blame': ['No bent request is answered 5xx.', 'What is sent from outside is no fault of the service.'],
  'fuzz-problem': ['Every refusal is a problem document with its own status.', 'Programs read errors too.'],
  'fuzz-leak': [
    'No refusal tells of the inside: stacks, files, SQL, exceptions.',
    'Whoever attacks learns nothing from it.',
  ],
  'fuzz-promised': [
    'Status, headers and shape of every answer are as the document promises.',
    'Clients are made from it, for bad days too.',
  ],
  'fuzz-unharmed': ['Afterwards the lists are answered as before.', 'No request outlives its answer.'],
  // The access log.
  'log-line': ['Each request has a line in the access log within a second.', 'Usage is counted from it.'],
  'fuzz-log': ['Each bent request has exactly one line as well.', 'Nobody can hide from it, or forge it.'],
  'log-format': ['Each line can be read as the combined format.', 'Aggregation reads it.'],
} as const satisfies Readonly<Record<string, readonly [what: string, why: string]>>

export type Code = keyof typeof catalogue

/** Why there may be no record of a request, for the page and the command. */
export const unrecordedRequestText = {
  heading: 'There is no record of this request',
  lead: 'This alone does not show whether the request succeeded. Only these requests are recorded:',
  kinds: [
    [
      'degraded',
      'the status was 500 or higher, a section was missing or out of date, or accounting had not confirmed the order;',
    ],
    ['slow', 'the response took at least one second, or at least 80 % of the deadline;'],
    ['refused', 'the status was 400, 401, 403, 409, 429 or similar, but not 404, 405, 412 or 422.'],
  ],
  retention:
    'Records are stored for 30 days. Each process records up to 10 requests of each kind per second for a merchant and mode, with bursts of up to 100. At most the newest 20,000 records of a merchant and mode are stored, and fewer if there are many merchants.',
  reasons: [
    'The request was not degraded, slow or refused.',
    'There were too many such requests to record all of them, or the record has been deleted since. The timeline and the incidents count every request.',
    'The request did not reach Forecourt: a proxy responded to it, or the id belongs to another system.',
    'The request is less than a second old. Try again.',
  ],
} as const

import { unrecordedRequestText } from '../../console/text/unrecorded-request-text.ts'
import { recognizeId } from './recognize-id.ts'

/** Says why no record has an id: that it is something else, or which requests are recorded. */
export function describeUnknownId(id: string): string {
  const recognized = recognizeId(id)
  if (recognized === null) return describeUnrecordedId(id)
  const { kind, isSecret } = recognized
  if (isSecret)
    return `This is ${kind}, not the id of a request, so it is not repeated here. The search box of the operations pages finds what belongs to it`
  return [
    `No recorded request has the id ${id}, which looks like ${kind}. The search box of the operations pages finds it.`,
    'If it is the id of a request, that request was not degraded, slow or refused, or its record has been deleted.',
  ].join('\n')
}

function describeUnrecordedId(id: string): string {
  const { lead, kinds, retention, reasons } = unrecordedRequestText
  return [
    `There is no record of a request with the id ${id}. ${lead}`,
    ...kinds.map(([kind, meaning]) => `- ${kind}: ${meaning}`),
    retention,
    'Possible reasons:',
    ...reasons.map((reason) => `- ${reason}`),
  ].join('\n')
}

import { Invalid } from '../errors.ts'

/** What a form sent cannot be taken: the words are shown to who sent it. */
export const mistaken = (msg: string): Invalid => new Invalid([{ type: 'value_error', loc: ['body'], msg }])

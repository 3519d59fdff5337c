export type Environment = Readonly<Record<string, string | undefined>>

/** The environment of this process. No other file reads `process.env`. */
export const environment: Environment = process.env

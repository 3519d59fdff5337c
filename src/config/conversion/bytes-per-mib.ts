export const BYTES_PER_MIB = 1_048_576

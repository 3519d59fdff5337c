/**
 * Returns the template's path of product fields that live on the template. Tryton reads them there in one query,
 * otherwise once per product.
 */
export const templateFields = (...fields: string[]): string[] => fields.map((field) => `template.${field}`)

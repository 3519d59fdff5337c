/** The field of `ir.model` with the technical name of a model; the other field has its label. */
export const modelNameField = (series: number) => (series < 7.6 ? 'model' : 'name')

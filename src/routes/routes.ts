import { availability, availabilityBatch } from './availability.ts'
import { categories } from './categories.ts'
import { ping } from './ping.ts'
import { product } from './product.ts'
import { productFitments } from './product-fitments.ts'
import { products } from './products.ts'
import type { Route } from './route.ts'
import { tags } from './tags.ts'
import { vehicleMakes, vehicleModels, vehicleYears } from './vehicle-facets.ts'
import { vehicleProducts } from './vehicle-products.ts'

/** Every call of the API that takes a key; the OpenAPI document is made from this list. */
export const routes: readonly Route[] = [
  ping,
  products,
  product,
  categories,
  tags,
  availability,
  availabilityBatch,
  vehicleYears,
  vehicleMakes,
  vehicleModels,
  vehicleProducts,
  productFitments,
]

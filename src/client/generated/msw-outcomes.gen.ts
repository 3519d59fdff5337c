// This file is recorded from the sandbox by `npm run client:record`.
export type OutcomeName = 'in_stock' | 'low_stock' | 'out_of_stock' | 'no_price' | 'not_found' | 'product_without_price' | 'product_unavailable' | 'list' | 'list_without_prices' | 'placed' | 'over_credit_limit' | 'price_changed' | 'line_unavailable'

export const recordedOutcomes = {
 "in_stock": [
  {
   "method": "GET",
   "path": "/v1/products/BP-1001",
   "status": 200,
   "headers": {
    "forecourt-complete": "true",
    "x-request-id": "Q3TripMJSk-1",
    "x-service-mode": "sandbox"
   },
   "body": {
    "sku": "BP-1001",
    "name": "Front Brake Pad Set, Honda CR-V 2012-2016, Heavy Duty",
    "slug": "front-brake-pad-set-honda-cr-v-2012-2016-heavy-duty-bp-1001",
    "description": "Brake Pad Set by Orizon Parts, heavy duty grade. Sold by: set. Check the vehicle list before ordering.",
    "brand": "Orizon Parts",
    "mpn": "OZ55692",
    "barcode": "2039253922140",
    "price": {
     "amount": "6188.00",
     "currency": "JMD",
     "price_type": "LIST",
     "list_amount": "6188.00",
     "tax_included": false,
     "uom": "set",
     "breaks": [],
     "as_of": "2026-11-25T13:06:57.912Z"
    },
    "tax": {
     "code": "GCT",
     "name": "General Consumption Tax",
     "rate": "0.15"
    },
    "availability": {
     "band": "IN_STOCK",
     "eta": null,
     "orderable": true
    },
    "cover": {
     "media_id": "m10001-1",
     "position": 1,
     "alt": "Front Brake Pad Set, Honda CR-V 2012-2016, Heavy Duty",
     "kind": "IMAGE",
     "width": 800,
     "height": 800,
     "thumb_url": "https://forecourt.example/media/pads-1-thumb.webp",
     "large_url": "https://forecourt.example/media/pads-1-large.webp"
    },
    "media": [
     {
      "media_id": "m10001-1",
      "position": 1,
      "alt": "Front Brake Pad Set, Honda CR-V 2012-2016, Heavy Duty",
      "kind": "IMAGE",
      "width": 800,
      "height": 800,
      "thumb_url": "https://forecourt.example/media/pads-1-thumb.webp",
      "large_url": "https://forecourt.example/media/pads-1-large.webp"
     },
     {
      "media_id": "m10001-2",
      "position": 2,
      "alt": null,
      "kind": "IMAGE",
      "width": 800,
      "height": 800,
      "thumb_url": "https://forecourt.example/media/pads-2-thumb.webp",
      "large_url": "https://forecourt.example/media/pads-2-large.webp"
     }
    ],
    "categories": [
     {
      "category_id": "101010",
      "name": "Brake Pads",
      "slug": "brake-pads"
     }
    ],
    "tags": [
     "heavy-duty",
     "new",
     "safety",
     "service-part"
    ],
    "variant_of": null,
    "options": [],
    "uom": "set",
    "active": true,
    "updated_at": "2026-11-09T04:00:00.000Z",
    "order_uoms": [
     {
      "uom": "set",
      "factor": "1",
      "min": "1",
      "increment": "1"
     }
    ],
    "references": [
     {
      "kind": "OEM",
      "brand": "Honda",
      "number": "HO-67734-BP2012"
     },
     {
      "kind": "SUPERSEDES",
      "brand": null,
      "number": "BP-0901"
     }
    ],
    "supersedes": [
     "BP-0901",
     "BP-1010"
    ],
    "superseded_by": null,
    "alternatives": [
     {
      "sku": "BP-1032",
      "name": "Front Brake Pad Set, Honda CR-V 2012-2016, OE Quality",
      "relation": "OEM",
      "price": {
       "amount": "7004.00",
       "currency": "JMD",
       "price_type": "LIST",
       "list_amount": "7004.00",
       "tax_included": false,
       "uom": "set",
       "breaks": [
        {
         "min_quantity": "12",
         "amount": "6653.80"
        }
       ],
       "as_of": "2026-11-25T13:06:57.912Z"
      },
      "availability": {
       "band": "LOW",
       "eta": null,
       "orderable": true
      }
     }
    ],
    "errors": []
   }
  }
 ],
 "low_stock": [
  {
   "method": "GET",
   "path": "/v1/products/BP-1002",
   "status": 200,
   "headers": {
    "forecourt-complete": "true",
    "x-request-id": "Q3TripMJSk-2",
    "x-service-mode": "sandbox"
   },
   "body": {
    "sku": "BP-1002",
    "name": "Front Brake Pad Set, Hyundai Elantra 2007-2010, OE Quality",
    "slug": "front-brake-pad-set-hyundai-elantra-2007-2010-oe-quality-bp-1002",
    "description": "Brake Pad Set by Halverd, oe quality grade. Sold by: set. Check the vehicle list before ordering.",
    "brand": "Halverd",
    "mpn": "HV42020",
    "barcode": "2033131852956",
    "price": {
     "amount": "6596.00",
     "currency": "JMD",
     "price_type": "LIST",
     "list_amount": "6596.00",
     "tax_included": false,
     "uom": "set",
     "breaks": [],
     "as_of": "2026-11-25T13:06:58.297Z"
    },
    "tax": {
     "code": "GCT",
     "name": "General Consumption Tax",
     "rate": "0.15"
    },
    "availability": {
     "band": "LOW",
     "eta": null,
     "orderable": true
    },
    "cover": {
     "media_id": "m10002-1",
     "position": 1,
     "alt": "Front Brake Pad Set, Hyundai Elantra 2007-2010, OE Quality",
     "kind": "IMAGE",
     "width": 800,
     "height": 800,
     "thumb_url": "https://forecourt.example/media/pads-1-thumb.webp",
     "large_url": "https://forecourt.example/media/pads-1-large.webp"
    },
    "media": [
     {
      "media_id": "m10002-1",
      "position": 1,
      "alt": "Front Brake Pad Set, Hyundai Elantra 2007-2010, OE Quality",
      "kind": "IMAGE",
      "width": 800,
      "height": 800,
      "thumb_url": "https://forecourt.example/media/pads-1-thumb.webp",
      "large_url": "https://forecourt.example/media/pads-1-large.webp"
     },
     {
      "media_id": "m10002-2",
      "position": 2,
      "alt": null,
      "kind": "IMAGE",
      "width": 800,
      "height": 800,
      "thumb_url": "https://forecourt.example/media/pads-2-thumb.webp",
      "large_url": "https://forecourt.example/media/pads-2-large.webp"
     }
    ],
    "categories": [
     {
      "category_id": "101010",
      "name": "Brake Pads",
      "slug": "brake-pads"
     }
    ],
    "tags": [
     "oe-quality",
     "safety",
     "service-part"
    ],
    "variant_of": null,
    "options": [],
    "uom": "set",
    "active": true,
    "updated_at": "2026-11-19T03:00:00.000Z",
    "order_uoms": [
     {
      "uom": "set",
      "factor": "1",
      "min": "1",
      "increment": "1"
     }
    ],
    "references": [
     {
      "kind": "OEM",
      "brand": "Hyundai",
      "number": "HY-88586-BP2007"
     },
     {
      "kind": "CROSS",
      "brand": "Pikomoto",
      "number": "PK BP 111F"
     }
    ],
    "supersedes": [],
    "superseded_by": null,
    "alternatives": [
     {
      "sku": "BP-1027",
      "name": "Front Brake Pad Set, Hyundai Elantra 2007-2010, Performance",
      "relation": "OEM",
      "price": {
       "amount": "8364.00",
       "currency": "JMD",
       "price_type": "LIST",
       "list_amount": "8364.00",
       "tax_included": false,
       "uom": "set",
       "breaks": [],
       "as_of": "2026-11-25T13:06:58.297Z"
      },
      "availability": {
       "band": "IN_STOCK",
       "eta": null,
       "orderable": true
      }
     }
    ],
    "errors": []
   }
  }
 ],
 "out_of_stock": [
  {
   "method": "GET",
   "path": "/v1/products/BP-1003",
   "status": 200,
   "headers": {
    "forecourt-complete": "true",
    "x-request-id": "Q3TripMJSk-3",
    "x-service-mode": "sandbox"
   },
   "body": {
    "sku": "BP-1003",
    "name": "Rear Brake Pad Set, Hyundai Elantra 2001-2006, OE Quality",
    "slug": "rear-brake-pad-set-hyundai-elantra-2001-2006-oe-quality-bp-1003",
    "description": "Brake Pad Set by Norvane, oe quality grade. Sold by: set. Check the vehicle list before ordering.",
    "brand": "Norvane",
    "mpn": "NV51802",
    "barcode": "2017193690992",
    "price": {
     "amount": "8228.00",
     "currency": "JMD",
     "price_type": "LIST",
     "list_amount": "8228.00",
     "tax_included": false,
     "uom": "set",
     "breaks": [
      {
       "min_quantity": "12",
       "amount": "7816.60"
      }
     ],
     "as_of": "2026-11-25T13:06:58.356Z"
    },
    "tax": {
     "code": "GCT",
     "name": "General Consumption Tax",
     "rate": "0.15"
    },
    "availability": {
     "band": "OUT",
     "eta": null,
     "orderable": false
    },
    "cover": {
     "media_id": "m10003-1",
     "position": 1,
     "alt": "Rear Brake Pad Set, Hyundai Elantra 2001-2006, OE Quality",
     "kind": "IMAGE",
     "width": 800,
     "height": 800,
     "thumb_url": "https://forecourt.example/media/pads-1-thumb.webp",
     "large_url": "https://forecourt.example/media/pads-1-large.webp"
    },
    "media": [
     {
      "media_id": "m10003-1",
      "position": 1,
      "alt": "Rear Brake Pad Set, Hyundai Elantra 2001-2006, OE Quality",
      "kind": "IMAGE",
      "width": 800,
      "height": 800,
      "thumb_url": "https://forecourt.example/media/pads-1-thumb.webp",
      "large_url": "https://forecourt.example/media/pads-1-large.webp"
     }
    ],
    "categories": [
     {
      "category_id": "101010",
      "name": "Brake Pads",
      "slug": "brake-pads"
     }
    ],
    "tags": [
     "oe-quality",
     "safety",
     "service-part"
    ],
    "variant_of": null,
    "options": [],
    "uom": "set",
    "active": true,
    "updated_at": "2026-11-15T07:00:00.000Z",
    "order_uoms": [
     {
      "uom": "set",
      "factor": "1",
      "min": "1",
      "increment": "1"
     }
    ],
    "references": [
     {
      "kind": "OEM",
      "brand": "Hyundai",
      "number": "HY-58193-BP2001"
     },
     {
      "kind": "CROSS",
      "brand": "Señalux",
      "number": "SX BP 117R"
     }
    ],
    "supersedes": [],
    "superseded_by": null,
    "alternatives": [],
    "errors": []
   }
  }
 ],
 "no_price": [
  {
   "method": "GET",
   "path": "/v1/products/BP-1009",
   "status": 200,
   "headers": {
    "forecourt-complete": "true",
    "x-request-id": "Q3TripMJSk-4",
    "x-service-mode": "sandbox"
   },
   "body": {
    "sku": "BP-1009",
    "name": "Rear Brake Pad Set, Nissan Altima 2013-2018, Standard",
    "slug": "rear-brake-pad-set-nissan-altima-2013-2018-standard-bp-1009",
    "description": "Brake Pad Set by Deltorq, standard grade. Sold by: set. Check the vehicle list before ordering.",
    "brand": "Deltorq",
    "mpn": "DQ77671",
    "barcode": "2020160546130",
    "price": null,
    "tax": {
     "code": "GCT",
     "name": "General Consumption Tax",
     "rate": "0.15"
    },
    "availability": {
     "band": "IN_STOCK",
     "eta": null,
     "orderable": true
    },
    "cover": {
     "media_id": "m10009-1",
     "position": 1,
     "alt": "Rear Brake Pad Set, Nissan Altima 2013-2018, Standard",
     "kind": "IMAGE",
     "width": 800,
     "height": 800,
     "thumb_url": "https://forecourt.example/media/pads-1-thumb.webp",
     "large_url": "https://forecourt.example/media/pads-1-large.webp"
    },
    "media": [
     {
      "media_id": "m10009-1",
      "position": 1,
      "alt": "Rear Brake Pad Set, Nissan Altima 2013-2018, Standard",
      "kind": "IMAGE",
      "width": 800,
      "height": 800,
      "thumb_url": "https://forecourt.example/media/pads-1-thumb.webp",
      "large_url": "https://forecourt.example/media/pads-1-large.webp"
     },
     {
      "media_id": "m10009-2",
      "position": 2,
      "alt": null,
      "kind": "IMAGE",
      "width": 800,
      "height": 800,
      "thumb_url": "https://forecourt.example/media/pads-2-thumb.webp",
      "large_url": "https://forecourt.example/media/pads-2-large.webp"
     }
    ],
    "categories": [
     {
      "category_id": "101010",
      "name": "Brake Pads",
      "slug": "brake-pads"
     }
    ],
    "tags": [
     "safety",
     "service-part"
    ],
    "variant_of": null,
    "options": [],
    "uom": "set",
    "active": true,
    "updated_at": "2026-10-06T22:00:00.000Z",
    "order_uoms": [
     {
      "uom": "set",
      "factor": "1",
      "min": "1",
      "increment": "1"
     }
    ],
    "references": [
     {
      "kind": "OEM",
      "brand": "Ford",
      "number": "FO-35965-BP2015"
     },
     {
      "kind": "OEM",
      "brand": "Nissan",
      "number": "NI-71289-BP2013"
     }
    ],
    "supersedes": [],
    "superseded_by": null,
    "alternatives": [
     {
      "sku": "BP-1033",
      "name": "Rear Brake Pad Set, Ford F-150 2015-2020, Standard",
      "relation": "OEM",
      "price": {
       "amount": "7072.00",
       "currency": "JMD",
       "price_type": "LIST",
       "list_amount": "7072.00",
       "tax_included": false,
       "uom": "set",
       "breaks": [],
       "as_of": "2026-11-25T13:06:58.434Z"
      },
      "availability": {
       "band": "IN_STOCK",
       "eta": null,
       "orderable": true
      }
     }
    ],
    "errors": []
   }
  }
 ],
 "not_found": [
  {
   "method": "GET",
   "path": "/v1/products/BP-1010",
   "status": 404,
   "headers": {
    "x-request-id": "Q3TripMJSk-5",
    "x-service-mode": "sandbox"
   },
   "body": {
    "type": "about:blank",
    "title": "Not Found",
    "status": 404,
    "detail": "There is no such product. Send a sku (not a slug or a name) as GET /v1/products lists it, in the same letter case. To search: GET /v1/products?q={text}.",
    "code": "not_found",
    "request_id": "Q3TripMJSk-5"
   }
  }
 ],
 "product_without_price": [
  {
   "method": "GET",
   "path": "/v1/products/BP-1001",
   "status": 200,
   "headers": {
    "forecourt-complete": "false",
    "x-request-id": "Q3TripMJSk-6",
    "x-service-mode": "sandbox"
   },
   "body": {
    "sku": "BP-1001",
    "name": "Front Brake Pad Set, Honda CR-V 2012-2016, Heavy Duty",
    "slug": "front-brake-pad-set-honda-cr-v-2012-2016-heavy-duty-bp-1001",
    "description": "Brake Pad Set by Orizon Parts, heavy duty grade. Sold by: set. Check the vehicle list before ordering.",
    "brand": "Orizon Parts",
    "mpn": "OZ55692",
    "barcode": "2039253922140",
    "price": null,
    "tax": {
     "code": "GCT",
     "name": "General Consumption Tax",
     "rate": "0.15"
    },
    "availability": {
     "band": "IN_STOCK",
     "eta": null,
     "orderable": true
    },
    "cover": {
     "media_id": "m10001-1",
     "position": 1,
     "alt": "Front Brake Pad Set, Honda CR-V 2012-2016, Heavy Duty",
     "kind": "IMAGE",
     "width": 800,
     "height": 800,
     "thumb_url": "https://forecourt.example/media/pads-1-thumb.webp",
     "large_url": "https://forecourt.example/media/pads-1-large.webp"
    },
    "media": [
     {
      "media_id": "m10001-1",
      "position": 1,
      "alt": "Front Brake Pad Set, Honda CR-V 2012-2016, Heavy Duty",
      "kind": "IMAGE",
      "width": 800,
      "height": 800,
      "thumb_url": "https://forecourt.example/media/pads-1-thumb.webp",
      "large_url": "https://forecourt.example/media/pads-1-large.webp"
     },
     {
      "media_id": "m10001-2",
      "position": 2,
      "alt": null,
      "kind": "IMAGE",
      "width": 800,
      "height": 800,
      "thumb_url": "https://forecourt.example/media/pads-2-thumb.webp",
      "large_url": "https://forecourt.example/media/pads-2-large.webp"
     }
    ],
    "categories": [
     {
      "category_id": "101010",
      "name": "Brake Pads",
      "slug": "brake-pads"
     }
    ],
    "tags": [
     "heavy-duty",
     "new",
     "safety",
     "service-part"
    ],
    "variant_of": null,
    "options": [],
    "uom": "set",
    "active": true,
    "updated_at": "2026-11-09T04:00:00.000Z",
    "order_uoms": [
     {
      "uom": "set",
      "factor": "1",
      "min": "1",
      "increment": "1"
     }
    ],
    "references": [
     {
      "kind": "OEM",
      "brand": "Honda",
      "number": "HO-67734-BP2012"
     },
     {
      "kind": "SUPERSEDES",
      "brand": null,
      "number": "BP-0901"
     }
    ],
    "supersedes": [
     "BP-0901",
     "BP-1010"
    ],
    "superseded_by": null,
    "alternatives": [
     {
      "sku": "BP-1032",
      "name": "Front Brake Pad Set, Honda CR-V 2012-2016, OE Quality",
      "relation": "OEM",
      "price": null,
      "availability": {
       "band": "LOW",
       "eta": null,
       "orderable": true
      }
     }
    ],
    "errors": [
     {
      "field": "price",
      "code": "downstream_timeout",
      "detail": "The upstream system did not respond in time."
     },
     {
      "field": "alternatives",
      "code": "partial_result",
      "detail": "The upstream system failed for some of the rows."
     }
    ]
   }
  }
 ],
 "product_unavailable": [
  {
   "method": "GET",
   "path": "/v1/products/BP-1001",
   "status": 503,
   "headers": {
    "retry-after": "1",
    "x-request-id": "Q3TripMJSk-7",
    "x-service-mode": "sandbox"
   },
   "body": {
    "type": "about:blank",
    "title": "Service Unavailable",
    "status": 503,
    "detail": "An upstream system cannot be reached.",
    "code": "downstream_unavailable",
    "request_id": "Q3TripMJSk-7"
   }
  }
 ],
 "list": [
  {
   "method": "GET",
   "path": "/v1/products",
   "status": 200,
   "headers": {
    "forecourt-complete": "true",
    "x-request-id": "Q3TripMJSk-8",
    "x-service-mode": "sandbox"
   },
   "body": {
    "data": [
     {
      "sku": "50%-CL&AF",
      "name": "Engine Oil 20W-50, Eco",
      "slug": "engine-oil-20w-50-eco-50-cl-af",
      "brand": "Ferrantis",
      "mpn": "FR20825",
      "barcode": "2018106415862",
      "price": {
       "amount": "1262.60",
       "currency": "JMD",
       "price_type": "LIST",
       "list_amount": "1262.60",
       "tax_included": false,
       "uom": "litre",
       "breaks": [
        {
         "min_quantity": "100",
         "amount": "1161.59"
        }
       ],
       "as_of": "2026-11-25T13:06:58.579Z"
      },
      "tax": {
       "code": "GCT",
       "name": "General Consumption Tax",
       "rate": "0.15"
      },
      "availability": {
       "band": "IN_STOCK",
       "eta": null,
       "orderable": true
      },
      "cover": {
       "media_id": "m11294-1",
       "position": 1,
       "alt": "Engine Oil 20W-50, Eco",
       "kind": "IMAGE",
       "width": 800,
       "height": 800,
       "thumb_url": "https://forecourt.example/media/can-1-thumb.webp",
       "large_url": "https://forecourt.example/media/can-1-large.webp"
      },
      "media": [
       {
        "media_id": "m11294-1",
        "position": 1,
        "alt": "Engine Oil 20W-50, Eco",
        "kind": "IMAGE",
        "width": 800,
        "height": 800,
        "thumb_url": "https://forecourt.example/media/can-1-thumb.webp",
        "large_url": "https://forecourt.example/media/can-1-large.webp"
       }
      ],
      "categories": [
       {
        "category_id": "121110",
        "name": "Engine Oil",
        "slug": "engine-oil"
       }
      ],
      "tags": [
       "bulk",
       "eco-friendly",
       "fast-moving"
      ],
      "variant_of": null,
      "options": [],
      "uom": "litre",
      "active": true,
      "updated_at": "2026-11-08T18:00:00.000Z"
     },
     {
      "sku": "AF-1001",
      "name": "Air Filter, Toyota Camry 2002-2006, Eco",
      "slug": "air-filter-toyota-camry-2002-2006-eco-af-1001",
      "brand": "Sunmarch",
      "mpn": "SM18424",
      "barcode": "2015319379349",
      "price": {
       "amount": "2256.00",
       "currency": "JMD",
       "price_type": "LIST",
       "list_amount": "2256.00",
       "tax_included": false,
       "uom": "each",
       "breaks": [],
       "as_of": "2026-11-25T13:06:58.579Z"
      },
      "tax": {
       "code": "GCT",
       "name": "General Consumption Tax",
       "rate": "0.15"
      },
      "availability": {
       "band": "LOW",
       "eta": null,
       "orderable": true
      },
      "cover": {
       "media_id": "m10437-1",
       "position": 1,
       "alt": "Air Filter, Toyota Camry 2002-2006, Eco",
       "kind": "IMAGE",
       "width": 800,
       "height": 800,
       "thumb_url": "https://forecourt.example/media/panel-1-thumb.webp",
       "large_url": "https://forecourt.example/media/panel-1-large.webp"
      },
      "media": [
       {
        "media_id": "m10437-1",
        "position": 1,
        "alt": "Air Filter, Toyota Camry 2002-2006, Eco",
        "kind": "IMAGE",
        "width": 800,
        "height": 800,
        "thumb_url": "https://forecourt.example/media/panel-1-thumb.webp",
        "large_url": "https://forecourt.example/media/panel-1-large.webp"
       },
       {
        "media_id": "m10437-2",
        "position": 2,
        "alt": null,
        "kind": "IMAGE",
        "width": 800,
        "height": 800,
        "thumb_url": "https://forecourt.example/media/panel-2-thumb.webp",
        "large_url": "https://forecourt.example/media/panel-2-large.webp"
       }
      ],
      "categories": [
       {
        "category_id": "121011",
        "name": "Air Filters",
        "slug": "air-filters"
       }
      ],
      "tags": [
       "eco-friendly",
       "fast-moving",
       "service-part"
      ],
      "variant_of": null,
      "options": [],
      "uom": "each",
      "active": true,
      "updated_at": "2026-10-23T08:00:00.000Z"
     },
     {
      "sku": "AF-1002",
      "name": "Air Filter, Mazda Demio 2014-2019, OE Quality",
      "slug": "air-filter-mazda-demio-2014-2019-oe-quality-af-1002",
      "brand": "Halverd",
      "mpn": "HV12449",
      "barcode": "2023872657477",
      "price": {
       "amount": "2520.00",
       "currency": "JMD",
       "price_type": "LIST",
       "list_amount": "2520.00",
       "tax_included": false,
       "uom": "each",
       "breaks": [],
       "as_of": "2026-11-25T13:06:58.579Z"
      },
      "tax": {
       "code": "GCT",
       "name": "General Consumption Tax",
       "rate": "0.15"
      },
      "availability": {
       "band": "IN_STOCK",
       "eta": null,
       "orderable": true
      },
      "cover": {
       "media_id": "m10438-1",
       "position": 1,
       "alt": "Air Filter, Mazda Demio 2014-2019, OE Quality",
       "kind": "IMAGE",
       "width": 800,
       "height": 800,
       "thumb_url": "https://forecourt.example/media/panel-1-thumb.webp",
       "large_url": "https://forecourt.example/media/panel-1-large.webp"
      },
      "media": [
       {
        "media_id": "m10438-1",
        "position": 1,
        "alt": "Air Filter, Mazda Demio 2014-2019, OE Quality",
        "kind": "IMAGE",
        "width": 800,
        "height": 800,
        "thumb_url": "https://forecourt.example/media/panel-1-thumb.webp",
        "large_url": "https://forecourt.example/media/panel-1-large.webp"
       }
      ],
      "categories": [
       {
        "category_id": "121011",
        "name": "Air Filters",
        "slug": "air-filters"
       }
      ],
      "tags": [
       "fast-moving",
       "oe-quality",
       "service-part"
      ],
      "variant_of": null,
      "options": [],
      "uom": "each",
      "active": true,
      "updated_at": "2026-10-18T23:00:00.000Z"
     }
    ],
    "pagination": {
     "limit": 3,
     "offset": 0,
     "count": 3,
     "total": 1256,
     "has_more": true,
     "next_offset": 3
    },
    "errors": []
   }
  }
 ],
 "list_without_prices": [
  {
   "method": "GET",
   "path": "/v1/products",
   "status": 200,
   "headers": {
    "forecourt-complete": "false",
    "x-request-id": "Q3TripMJSk-9",
    "x-service-mode": "sandbox"
   },
   "body": {
    "data": [
     {
      "sku": "50%-CL&AF",
      "name": "Engine Oil 20W-50, Eco",
      "slug": "engine-oil-20w-50-eco-50-cl-af",
      "brand": "Ferrantis",
      "mpn": "FR20825",
      "barcode": "2018106415862",
      "price": null,
      "tax": {
       "code": "GCT",
       "name": "General Consumption Tax",
       "rate": "0.15"
      },
      "availability": {
       "band": "IN_STOCK",
       "eta": null,
       "orderable": true
      },
      "cover": {
       "media_id": "m11294-1",
       "position": 1,
       "alt": "Engine Oil 20W-50, Eco",
       "kind": "IMAGE",
       "width": 800,
       "height": 800,
       "thumb_url": "https://forecourt.example/media/can-1-thumb.webp",
       "large_url": "https://forecourt.example/media/can-1-large.webp"
      },
      "media": [
       {
        "media_id": "m11294-1",
        "position": 1,
        "alt": "Engine Oil 20W-50, Eco",
        "kind": "IMAGE",
        "width": 800,
        "height": 800,
        "thumb_url": "https://forecourt.example/media/can-1-thumb.webp",
        "large_url": "https://forecourt.example/media/can-1-large.webp"
       }
      ],
      "categories": [
       {
        "category_id": "121110",
        "name": "Engine Oil",
        "slug": "engine-oil"
       }
      ],
      "tags": [
       "bulk",
       "eco-friendly",
       "fast-moving"
      ],
      "variant_of": null,
      "options": [],
      "uom": "litre",
      "active": true,
      "updated_at": "2026-11-08T18:00:00.000Z"
     },
     {
      "sku": "AF-1001",
      "name": "Air Filter, Toyota Camry 2002-2006, Eco",
      "slug": "air-filter-toyota-camry-2002-2006-eco-af-1001",
      "brand": "Sunmarch",
      "mpn": "SM18424",
      "barcode": "2015319379349",
      "price": null,
      "tax": {
       "code": "GCT",
       "name": "General Consumption Tax",
       "rate": "0.15"
      },
      "availability": {
       "band": "LOW",
       "eta": null,
       "orderable": true
      },
      "cover": {
       "media_id": "m10437-1",
       "position": 1,
       "alt": "Air Filter, Toyota Camry 2002-2006, Eco",
       "kind": "IMAGE",
       "width": 800,
       "height": 800,
       "thumb_url": "https://forecourt.example/media/panel-1-thumb.webp",
       "large_url": "https://forecourt.example/media/panel-1-large.webp"
      },
      "media": [
       {
        "media_id": "m10437-1",
        "position": 1,
        "alt": "Air Filter, Toyota Camry 2002-2006, Eco",
        "kind": "IMAGE",
        "width": 800,
        "height": 800,
        "thumb_url": "https://forecourt.example/media/panel-1-thumb.webp",
        "large_url": "https://forecourt.example/media/panel-1-large.webp"
       },
       {
        "media_id": "m10437-2",
        "position": 2,
        "alt": null,
        "kind": "IMAGE",
        "width": 800,
        "height": 800,
        "thumb_url": "https://forecourt.example/media/panel-2-thumb.webp",
        "large_url": "https://forecourt.example/media/panel-2-large.webp"
       }
      ],
      "categories": [
       {
        "category_id": "121011",
        "name": "Air Filters",
        "slug": "air-filters"
       }
      ],
      "tags": [
       "eco-friendly",
       "fast-moving",
       "service-part"
      ],
      "variant_of": null,
      "options": [],
      "uom": "each",
      "active": true,
      "updated_at": "2026-10-23T08:00:00.000Z"
     },
     {
      "sku": "AF-1002",
      "name": "Air Filter, Mazda Demio 2014-2019, OE Quality",
      "slug": "air-filter-mazda-demio-2014-2019-oe-quality-af-1002",
      "brand": "Halverd",
      "mpn": "HV12449",
      "barcode": "2023872657477",
      "price": null,
      "tax": {
       "code": "GCT",
       "name": "General Consumption Tax",
       "rate": "0.15"
      },
      "availability": {
       "band": "IN_STOCK",
       "eta": null,
       "orderable": true
      },
      "cover": {
       "media_id": "m10438-1",
       "position": 1,
       "alt": "Air Filter, Mazda Demio 2014-2019, OE Quality",
       "kind": "IMAGE",
       "width": 800,
       "height": 800,
       "thumb_url": "https://forecourt.example/media/panel-1-thumb.webp",
       "large_url": "https://forecourt.example/media/panel-1-large.webp"
      },
      "media": [
       {
        "media_id": "m10438-1",
        "position": 1,
        "alt": "Air Filter, Mazda Demio 2014-2019, OE Quality",
        "kind": "IMAGE",
        "width": 800,
        "height": 800,
        "thumb_url": "https://forecourt.example/media/panel-1-thumb.webp",
        "large_url": "https://forecourt.example/media/panel-1-large.webp"
       }
      ],
      "categories": [
       {
        "category_id": "121011",
        "name": "Air Filters",
        "slug": "air-filters"
       }
      ],
      "tags": [
       "fast-moving",
       "oe-quality",
       "service-part"
      ],
      "variant_of": null,
      "options": [],
      "uom": "each",
      "active": true,
      "updated_at": "2026-10-18T23:00:00.000Z"
     }
    ],
    "pagination": {
     "limit": 3,
     "offset": 0,
     "count": 3,
     "total": 1256,
     "has_more": true,
     "next_offset": 3
    },
    "errors": [
     {
      "field": "price",
      "code": "downstream_timeout",
      "detail": "The upstream system did not respond in time."
     }
    ]
   }
  }
 ],
 "placed": [
  {
   "method": "POST",
   "path": "/v1/shoppers/login",
   "status": 200,
   "headers": {
    "x-request-id": "Q3TripMJSk-a",
    "x-service-mode": "sandbox"
   },
   "body": {
    "shopper_token": "recorded-shopper_token",
    "token_type": "Shopper",
    "expires_at": "2026-11-25T14:06:58.796Z",
    "expires_in": 3599,
    "refresh_token": "recorded-refresh_token",
    "refresh_expires_at": "2026-12-25T13:06:58.796Z",
    "device_token": "recorded-device_token",
    "customer": {
     "customer_id": "C-1001",
     "account_number": "70010",
     "email": "parts@mobay-garage.example",
     "first_name": null,
     "last_name": null,
     "company": "MoBay Garage",
     "phone": "+18765550100",
     "customer_type": "BUSINESS",
     "status": "ACTIVE",
     "currency": "JMD",
     "payment_methods": [
      "CREDIT_TERMS",
      "CASH_ON_DELIVERY"
     ],
     "addresses": [
      {
       "address_id": "C-1001-1",
       "is_default": true,
       "line1": "12 Harbour Street",
       "line2": null,
       "city": "St. James",
       "region": "St. James",
       "postal_code": null,
       "country": "JM",
       "source": "ACCOUNT"
      },
      {
       "address_id": "C-1001-2",
       "is_default": false,
       "line1": "Warehouse, 12 Harbour Street",
       "line2": null,
       "city": "St. James",
       "region": "St. James",
       "postal_code": null,
       "country": "JM",
       "source": "ACCOUNT"
      }
     ],
     "created_at": "2025-10-21T13:06:48.830Z",
     "errors": []
    },
    "errors": []
   }
  },
  {
   "method": "POST",
   "path": "/v1/carts",
   "status": 201,
   "headers": {
    "forecourt-complete": "true",
    "x-request-id": "Q3TripMJSk-b",
    "x-service-mode": "sandbox"
   },
   "body": {
    "cart_id": "cart_U0CUpkbsTvAflo2DXZ1bWa",
    "state": "ACTIVE",
    "version": 1,
    "currency": "JMD",
    "lines": [],
    "item_count": 0,
    "promotions": [],
    "totals": null,
    "delivery": null,
    "pricing": {
     "state": "UNPRICED",
     "priced_at": null,
     "expires_at": null
    },
    "credit": null,
    "warnings": [],
    "order_id": null,
    "created_at": "2026-11-25T13:06:58.828Z",
    "updated_at": "2026-11-25T13:06:58.828Z",
    "expires_at": "2026-12-25T13:06:58.828Z",
    "errors": []
   }
  },
  {
   "method": "POST",
   "path": "/v1/carts/*/lines",
   "status": 200,
   "headers": {
    "forecourt-complete": "true",
    "x-request-id": "Q3TripMJSk-c",
    "x-service-mode": "sandbox"
   },
   "body": {
    "cart_id": "cart_U0CUpkbsTvAflo2DXZ1bWa",
    "state": "ACTIVE",
    "version": 2,
    "currency": "JMD",
    "lines": [
     {
      "line_id": "line_2i4gBPy4l1Ff",
      "sku": "BP-1001",
      "name": "Front Brake Pad Set, Honda CR-V 2012-2016, Heavy Duty",
      "thumb_url": "https://forecourt.example/media/pads-1-thumb.webp",
      "quantity": 1,
      "uom": "set",
      "order_uom": null,
      "order_quantity": null,
      "band": "IN_STOCK",
      "unit_price": null,
      "list_unit_price": null,
      "discount": null,
      "tax": null,
      "line_total": null
     }
    ],
    "item_count": 1,
    "promotions": [],
    "totals": null,
    "delivery": null,
    "pricing": {
     "state": "UNPRICED",
     "priced_at": null,
     "expires_at": null
    },
    "credit": null,
    "warnings": [],
    "order_id": null,
    "created_at": "2026-11-25T13:06:58.828Z",
    "updated_at": "2026-11-25T13:06:58.845Z",
    "expires_at": "2026-12-25T13:06:58.845Z",
    "errors": []
   }
  },
  {
   "method": "POST",
   "path": "/v1/carts/*/price",
   "status": 200,
   "headers": {
    "forecourt-complete": "true",
    "x-request-id": "Q3TripMJSk-d",
    "x-service-mode": "sandbox"
   },
   "body": {
    "cart_id": "cart_U0CUpkbsTvAflo2DXZ1bWa",
    "state": "ACTIVE",
    "version": 2,
    "currency": "JMD",
    "lines": [
     {
      "line_id": "line_2i4gBPy4l1Ff",
      "sku": "BP-1001",
      "name": "Front Brake Pad Set, Honda CR-V 2012-2016, Heavy Duty",
      "thumb_url": "https://forecourt.example/media/pads-1-thumb.webp",
      "quantity": 1,
      "uom": "set",
      "order_uom": null,
      "order_quantity": null,
      "band": "IN_STOCK",
      "unit_price": {
       "amount": "5445.44",
       "currency": "JMD"
      },
      "list_unit_price": {
       "amount": "6188.00",
       "currency": "JMD"
      },
      "discount": {
       "amount": "0.00",
       "currency": "JMD"
      },
      "tax": {
       "amount": "816.82",
       "currency": "JMD"
      },
      "line_total": {
       "amount": "6262.26",
       "currency": "JMD"
      }
     }
    ],
    "item_count": 1,
    "promotions": [],
    "totals": {
     "subtotal": {
      "amount": "5445.44",
      "currency": "JMD"
     },
     "discount_total": {
      "amount": "0.00",
      "currency": "JMD"
     },
     "tax_total": {
      "amount": "816.82",
      "currency": "JMD"
     },
     "shipping_total": {
      "amount": "0.00",
      "currency": "JMD"
     },
     "total": {
      "amount": "6262.26",
      "currency": "JMD"
     },
     "taxes": [
      {
       "code": "GCT",
       "name": "General Consumption Tax",
       "rate": "0.15",
       "base": {
        "amount": "5445.44",
        "currency": "JMD"
       },
       "amount": {
        "amount": "816.82",
        "currency": "JMD"
       }
      }
     ],
     "tax_included": false
    },
    "delivery": null,
    "pricing": {
     "state": "PRICED",
     "priced_at": "2026-11-25T13:06:58.900Z",
     "expires_at": "2026-11-25T13:21:58.900Z"
    },
    "credit": {
     "enabled": true,
     "would_exceed": false,
     "shortfall": null,
     "available_credit": {
      "amount": "310177.85",
      "currency": "JMD"
     },
     "as_of": "2026-11-25T13:06:58.869Z"
    },
    "warnings": [],
    "order_id": null,
    "created_at": "2026-11-25T13:06:58.828Z",
    "updated_at": "2026-11-25T13:06:58.845Z",
    "expires_at": "2026-12-25T13:06:58.845Z",
    "errors": []
   }
  },
  {
   "method": "POST",
   "path": "/v1/checkout",
   "status": 200,
   "headers": {
    "x-request-id": "Q3TripMJSk-e",
    "x-service-mode": "sandbox"
   },
   "body": {
    "state": "placed",
    "cart_id": "cart_U0CUpkbsTvAflo2DXZ1bWa",
    "order_id": "ord_4PfJZ87GJTQVZgeLNH8dQX",
    "order_number": "SO-200001",
    "order": {
     "order_id": "ord_4PfJZ87GJTQVZgeLNH8dQX",
     "order_number": "SO-200001",
     "status": "CONFIRMED",
     "payment_status": "NOT_REQUIRED",
     "channel": "ECOMMERCE",
     "currency": "JMD",
     "total": {
      "amount": "6262.26",
      "currency": "JMD"
     },
     "item_count": 1,
     "po_number": null,
     "placed_at": "2026-11-25T13:06:58.946Z",
     "updated_at": "2026-11-25T13:06:58.946Z",
     "lines": [
      {
       "sku": "BP-1001",
       "name": "Front Brake Pad Set, Honda CR-V 2012-2016, Heavy Duty",
       "quantity": 1,
       "uom": "set",
       "order_uom": null,
       "order_quantity": null,
       "unit_price": {
        "amount": "5445.44",
        "currency": "JMD"
       },
       "list_unit_price": {
        "amount": "6188.00",
        "currency": "JMD"
       },
       "discount": {
        "amount": "0.00",
        "currency": "JMD"
       },
       "tax": {
        "code": "GCT",
        "rate": "0.15",
        "amount": {
         "amount": "816.82",
         "currency": "JMD"
        }
       },
       "line_total": {
        "amount": "6262.26",
        "currency": "JMD"
       }
      }
     ],
     "totals": {
      "subtotal": {
       "amount": "5445.44",
       "currency": "JMD"
      },
      "discount_total": {
       "amount": "0.00",
       "currency": "JMD"
      },
      "tax_total": {
       "amount": "816.82",
       "currency": "JMD"
      },
      "shipping_total": {
       "amount": "0.00",
       "currency": "JMD"
      },
      "total": {
       "amount": "6262.26",
       "currency": "JMD"
      },
      "taxes": [
       {
        "code": "GCT",
        "name": "General Consumption Tax",
        "rate": "0.15",
        "base": {
         "amount": "5445.44",
         "currency": "JMD"
        },
        "amount": {
         "amount": "816.82",
         "currency": "JMD"
        }
       }
      ],
      "tax_included": false
     },
     "promotions": [],
     "fulfillment_method": "DELIVERY",
     "delivery": null,
     "shipping_address": {
      "line1": "12 Harbour Street",
      "line2": null,
      "city": "St. James",
      "region": "St. James",
      "postal_code": null,
      "country": "JM"
     },
     "billing_address": {
      "line1": "12 Harbour Street",
      "line2": null,
      "city": "St. James",
      "region": "St. James",
      "postal_code": null,
      "country": "JM"
     },
     "contact": {
      "name": "MoBay Garage",
      "phone": "+18765550100",
      "email": "parts@mobay-garage.example"
     },
     "notes": null,
     "requested_date": null,
     "payment_method": "CREDIT_TERMS",
     "shipments": [],
     "cancellable": true,
     "cancelled_at": null,
     "cancel_reason": null,
     "history": [
      {
       "status": "PENDING",
       "at": "2026-11-25T13:06:58.946Z"
      },
      {
       "status": "CONFIRMED",
       "at": "2026-11-25T13:06:58.946Z"
      }
     ]
    },
    "totals": {
     "subtotal": {
      "amount": "5445.44",
      "currency": "JMD"
     },
     "discount_total": {
      "amount": "0.00",
      "currency": "JMD"
     },
     "tax_total": {
      "amount": "816.82",
      "currency": "JMD"
     },
     "shipping_total": {
      "amount": "0.00",
      "currency": "JMD"
     },
     "total": {
      "amount": "6262.26",
      "currency": "JMD"
     },
     "taxes": [
      {
       "code": "GCT",
       "name": "General Consumption Tax",
       "rate": "0.15",
       "base": {
        "amount": "5445.44",
        "currency": "JMD"
       },
       "amount": {
        "amount": "816.82",
        "currency": "JMD"
       }
      }
     ],
     "tax_included": false
    },
    "shortfall": null,
    "credit": null,
    "remedies": [],
    "payment": {
     "status": "NOT_REQUIRED",
     "session_id": null
    }
   }
  },
  {
   "method": "GET",
   "path": "/v1/orders/*",
   "status": 200,
   "headers": {
    "forecourt-complete": "true",
    "x-request-id": "Q3TripMJSk-f",
    "x-service-mode": "sandbox"
   },
   "body": {
    "order_id": "ord_4PfJZ87GJTQVZgeLNH8dQX",
    "order_number": "SO-200001",
    "status": "CONFIRMED",
    "payment_status": "NOT_REQUIRED",
    "channel": "ECOMMERCE",
    "currency": "JMD",
    "total": {
     "amount": "6262.26",
     "currency": "JMD"
    },
    "item_count": 1,
    "po_number": null,
    "placed_at": "2026-11-25T13:06:58.946Z",
    "updated_at": "2026-11-25T13:06:58.946Z",
    "lines": [
     {
      "sku": "BP-1001",
      "name": "Front Brake Pad Set, Honda CR-V 2012-2016, Heavy Duty",
      "quantity": 1,
      "uom": "set",
      "order_uom": null,
      "order_quantity": null,
      "unit_price": {
       "amount": "5445.44",
       "currency": "JMD"
      },
      "list_unit_price": {
       "amount": "6188.00",
       "currency": "JMD"
      },
      "discount": {
       "amount": "0.00",
       "currency": "JMD"
      },
      "tax": {
       "code": "GCT",
       "rate": "0.15",
       "amount": {
        "amount": "816.82",
        "currency": "JMD"
       }
      },
      "line_total": {
       "amount": "6262.26",
       "currency": "JMD"
      },
      "thumb_url": "https://forecourt.example/media/pads-1-thumb.webp"
     }
    ],
    "totals": {
     "subtotal": {
      "amount": "5445.44",
      "currency": "JMD"
     },
     "discount_total": {
      "amount": "0.00",
      "currency": "JMD"
     },
     "tax_total": {
      "amount": "816.82",
      "currency": "JMD"
     },
     "shipping_total": {
      "amount": "0.00",
      "currency": "JMD"
     },
     "total": {
      "amount": "6262.26",
      "currency": "JMD"
     },
     "taxes": [
      {
       "code": "GCT",
       "name": "General Consumption Tax",
       "rate": "0.15",
       "base": {
        "amount": "5445.44",
        "currency": "JMD"
       },
       "amount": {
        "amount": "816.82",
        "currency": "JMD"
       }
      }
     ],
     "tax_included": false
    },
    "promotions": [],
    "fulfillment_method": "DELIVERY",
    "delivery": null,
    "shipping_address": {
     "line1": "12 Harbour Street",
     "line2": null,
     "city": "St. James",
     "region": "St. James",
     "postal_code": null,
     "country": "JM"
    },
    "billing_address": {
     "line1": "12 Harbour Street",
     "line2": null,
     "city": "St. James",
     "region": "St. James",
     "postal_code": null,
     "country": "JM"
    },
    "contact": {
     "name": "MoBay Garage",
     "phone": "+18765550100",
     "email": "parts@mobay-garage.example"
    },
    "notes": null,
    "requested_date": null,
    "payment_method": "CREDIT_TERMS",
    "shipments": [],
    "cancellable": true,
    "cancelled_at": null,
    "cancel_reason": null,
    "history": [
     {
      "status": "PENDING",
      "at": "2026-11-25T13:06:58.946Z"
     },
     {
      "status": "CONFIRMED",
      "at": "2026-11-25T13:06:58.946Z"
     }
    ],
    "invoices": [],
    "errors": []
   }
  }
 ],
 "over_credit_limit": [
  {
   "method": "POST",
   "path": "/v1/shoppers/login",
   "status": 200,
   "headers": {
    "x-request-id": "Q3TripMJSk-g",
    "x-service-mode": "sandbox"
   },
   "body": {
    "shopper_token": "recorded-shopper_token",
    "token_type": "Shopper",
    "expires_at": "2026-11-25T14:06:59.162Z",
    "expires_in": 3599,
    "refresh_token": "recorded-refresh_token",
    "refresh_expires_at": "2026-12-25T13:06:59.162Z",
    "device_token": "recorded-device_token",
    "customer": {
     "customer_id": "C-1006",
     "account_number": "70015",
     "email": "desk@negril-hire.example",
     "first_name": null,
     "last_name": null,
     "company": "Negril Bike and Car Hire",
     "phone": "+18765550105",
     "customer_type": "BUSINESS",
     "status": "ACTIVE",
     "currency": "JMD",
     "payment_methods": [
      "CREDIT_TERMS",
      "CASH_ON_DELIVERY"
     ],
     "addresses": [
      {
       "address_id": "C-1006-1",
       "is_default": true,
       "line1": "Norman Manley Boulevard",
       "line2": null,
       "city": "Westmoreland",
       "region": "Westmoreland",
       "postal_code": null,
       "country": "JM",
       "source": "ACCOUNT"
      }
     ],
     "created_at": "2024-12-20T13:06:48.830Z",
     "errors": []
    },
    "errors": []
   }
  },
  {
   "method": "POST",
   "path": "/v1/carts",
   "status": 201,
   "headers": {
    "forecourt-complete": "true",
    "x-request-id": "Q3TripMJSk-h",
    "x-service-mode": "sandbox"
   },
   "body": {
    "cart_id": "cart_gI6vMxY8K1F0pf4SSSJPlz",
    "state": "ACTIVE",
    "version": 1,
    "currency": "JMD",
    "lines": [],
    "item_count": 0,
    "promotions": [],
    "totals": null,
    "delivery": null,
    "pricing": {
     "state": "UNPRICED",
     "priced_at": null,
     "expires_at": null
    },
    "credit": null,
    "warnings": [],
    "order_id": null,
    "created_at": "2026-11-25T13:06:59.191Z",
    "updated_at": "2026-11-25T13:06:59.191Z",
    "expires_at": "2026-12-25T13:06:59.191Z",
    "errors": []
   }
  },
  {
   "method": "POST",
   "path": "/v1/carts/*/lines",
   "status": 200,
   "headers": {
    "forecourt-complete": "true",
    "x-request-id": "Q3TripMJSk-i",
    "x-service-mode": "sandbox"
   },
   "body": {
    "cart_id": "cart_gI6vMxY8K1F0pf4SSSJPlz",
    "state": "ACTIVE",
    "version": 2,
    "currency": "JMD",
    "lines": [
     {
      "line_id": "line_R0zghq4CM43m",
      "sku": "BP-1001",
      "name": "Front Brake Pad Set, Honda CR-V 2012-2016, Heavy Duty",
      "thumb_url": "https://forecourt.example/media/pads-1-thumb.webp",
      "quantity": 1,
      "uom": "set",
      "order_uom": null,
      "order_quantity": null,
      "band": "IN_STOCK",
      "unit_price": null,
      "list_unit_price": null,
      "discount": null,
      "tax": null,
      "line_total": null
     }
    ],
    "item_count": 1,
    "promotions": [],
    "totals": null,
    "delivery": null,
    "pricing": {
     "state": "UNPRICED",
     "priced_at": null,
     "expires_at": null
    },
    "credit": null,
    "warnings": [],
    "order_id": null,
    "created_at": "2026-11-25T13:06:59.191Z",
    "updated_at": "2026-11-25T13:06:59.197Z",
    "expires_at": "2026-12-25T13:06:59.197Z",
    "errors": []
   }
  },
  {
   "method": "POST",
   "path": "/v1/carts/*/price",
   "status": 200,
   "headers": {
    "forecourt-complete": "true",
    "x-request-id": "Q3TripMJSk-j",
    "x-service-mode": "sandbox"
   },
   "body": {
    "cart_id": "cart_gI6vMxY8K1F0pf4SSSJPlz",
    "state": "ACTIVE",
    "version": 2,
    "currency": "JMD",
    "lines": [
     {
      "line_id": "line_R0zghq4CM43m",
      "sku": "BP-1001",
      "name": "Front Brake Pad Set, Honda CR-V 2012-2016, Heavy Duty",
      "thumb_url": "https://forecourt.example/media/pads-1-thumb.webp",
      "quantity": 1,
      "uom": "set",
      "order_uom": null,
      "order_quantity": null,
      "band": "IN_STOCK",
      "unit_price": {
       "amount": "6188.00",
       "currency": "JMD"
      },
      "list_unit_price": {
       "amount": "6188.00",
       "currency": "JMD"
      },
      "discount": {
       "amount": "0.00",
       "currency": "JMD"
      },
      "tax": {
       "amount": "928.20",
       "currency": "JMD"
      },
      "line_total": {
       "amount": "7116.20",
       "currency": "JMD"
      }
     }
    ],
    "item_count": 1,
    "promotions": [],
    "totals": {
     "subtotal": {
      "amount": "6188.00",
      "currency": "JMD"
     },
     "discount_total": {
      "amount": "0.00",
      "currency": "JMD"
     },
     "tax_total": {
      "amount": "928.20",
      "currency": "JMD"
     },
     "shipping_total": {
      "amount": "0.00",
      "currency": "JMD"
     },
     "total": {
      "amount": "7116.20",
      "currency": "JMD"
     },
     "taxes": [
      {
       "code": "GCT",
       "name": "General Consumption Tax",
       "rate": "0.15",
       "base": {
        "amount": "6188.00",
        "currency": "JMD"
       },
       "amount": {
        "amount": "928.20",
        "currency": "JMD"
       }
      }
     ],
     "tax_included": false
    },
    "delivery": null,
    "pricing": {
     "state": "PRICED",
     "priced_at": "2026-11-25T13:06:59.243Z",
     "expires_at": "2026-11-25T13:21:59.243Z"
    },
    "credit": {
     "enabled": true,
     "would_exceed": true,
     "shortfall": {
      "amount": "7066.20",
      "currency": "JMD"
     },
     "available_credit": {
      "amount": "50.00",
      "currency": "JMD"
     },
     "as_of": "2026-11-25T13:06:59.213Z"
    },
    "warnings": [],
    "order_id": null,
    "created_at": "2026-11-25T13:06:59.191Z",
    "updated_at": "2026-11-25T13:06:59.197Z",
    "expires_at": "2026-12-25T13:06:59.197Z",
    "errors": []
   }
  },
  {
   "method": "POST",
   "path": "/v1/checkout",
   "status": 200,
   "headers": {
    "x-request-id": "Q3TripMJSk-k",
    "x-service-mode": "sandbox"
   },
   "body": {
    "state": "over_credit_limit",
    "cart_id": "cart_gI6vMxY8K1F0pf4SSSJPlz",
    "order_id": null,
    "order_number": null,
    "order": null,
    "totals": {
     "subtotal": {
      "amount": "6188.00",
      "currency": "JMD"
     },
     "discount_total": {
      "amount": "0.00",
      "currency": "JMD"
     },
     "tax_total": {
      "amount": "928.20",
      "currency": "JMD"
     },
     "shipping_total": {
      "amount": "0.00",
      "currency": "JMD"
     },
     "total": {
      "amount": "7116.20",
      "currency": "JMD"
     },
     "taxes": [
      {
       "code": "GCT",
       "name": "General Consumption Tax",
       "rate": "0.15",
       "base": {
        "amount": "6188.00",
        "currency": "JMD"
       },
       "amount": {
        "amount": "928.20",
        "currency": "JMD"
       }
      }
     ],
     "tax_included": false
    },
    "shortfall": {
     "amount": "7066.20",
     "currency": "JMD"
    },
    "credit": {
     "enabled": true,
     "would_exceed": true,
     "shortfall": {
      "amount": "7066.20",
      "currency": "JMD"
     },
     "available_credit": {
      "amount": "50.00",
      "currency": "JMD"
     },
     "as_of": "2026-11-25T13:06:59.296Z"
    },
    "remedies": [
     "REDUCE_ORDER",
     "PAY_BALANCE",
     "CHOOSE_CASH_ON_DELIVERY"
    ],
    "payment": null
   }
  }
 ],
 "price_changed": [
  {
   "method": "POST",
   "path": "/v1/shoppers/login",
   "status": 200,
   "headers": {
    "x-request-id": "Q3TripMJSk-l",
    "x-service-mode": "sandbox"
   },
   "body": {
    "shopper_token": "recorded-shopper_token",
    "token_type": "Shopper",
    "expires_at": "2026-11-25T14:06:59.526Z",
    "expires_in": 3599,
    "refresh_token": "recorded-refresh_token",
    "refresh_expires_at": "2026-12-25T13:06:59.526Z",
    "device_token": "recorded-device_token",
    "customer": {
     "customer_id": "C-1001",
     "account_number": "70010",
     "email": "parts@mobay-garage.example",
     "first_name": null,
     "last_name": null,
     "company": "MoBay Garage",
     "phone": "+18765550100",
     "customer_type": "BUSINESS",
     "status": "ACTIVE",
     "currency": "JMD",
     "payment_methods": [
      "CREDIT_TERMS",
      "CASH_ON_DELIVERY"
     ],
     "addresses": [
      {
       "address_id": "C-1001-1",
       "is_default": true,
       "line1": "12 Harbour Street",
       "line2": null,
       "city": "St. James",
       "region": "St. James",
       "postal_code": null,
       "country": "JM",
       "source": "ACCOUNT"
      },
      {
       "address_id": "C-1001-2",
       "is_default": false,
       "line1": "Warehouse, 12 Harbour Street",
       "line2": null,
       "city": "St. James",
       "region": "St. James",
       "postal_code": null,
       "country": "JM",
       "source": "ACCOUNT"
      }
     ],
     "created_at": "2025-10-21T13:06:48.830Z",
     "errors": []
    },
    "errors": []
   }
  },
  {
   "method": "POST",
   "path": "/v1/carts",
   "status": 201,
   "headers": {
    "forecourt-complete": "true",
    "x-request-id": "Q3TripMJSk-m",
    "x-service-mode": "sandbox"
   },
   "body": {
    "cart_id": "cart_cGjcArnN4siO5DBsL5oESy",
    "state": "ACTIVE",
    "version": 1,
    "currency": "JMD",
    "lines": [],
    "item_count": 0,
    "promotions": [],
    "totals": null,
    "delivery": null,
    "pricing": {
     "state": "UNPRICED",
     "priced_at": null,
     "expires_at": null
    },
    "credit": null,
    "warnings": [],
    "order_id": null,
    "created_at": "2026-11-25T13:06:59.556Z",
    "updated_at": "2026-11-25T13:06:59.556Z",
    "expires_at": "2026-12-25T13:06:59.556Z",
    "errors": []
   }
  },
  {
   "method": "POST",
   "path": "/v1/carts/*/lines",
   "status": 200,
   "headers": {
    "forecourt-complete": "true",
    "x-request-id": "Q3TripMJSk-n",
    "x-service-mode": "sandbox"
   },
   "body": {
    "cart_id": "cart_cGjcArnN4siO5DBsL5oESy",
    "state": "ACTIVE",
    "version": 2,
    "currency": "JMD",
    "lines": [
     {
      "line_id": "line_qFOdYLXKYg0T",
      "sku": "BP-1001",
      "name": "Front Brake Pad Set, Honda CR-V 2012-2016, Heavy Duty",
      "thumb_url": "https://forecourt.example/media/pads-1-thumb.webp",
      "quantity": 1,
      "uom": "set",
      "order_uom": null,
      "order_quantity": null,
      "band": "IN_STOCK",
      "unit_price": null,
      "list_unit_price": null,
      "discount": null,
      "tax": null,
      "line_total": null
     }
    ],
    "item_count": 1,
    "promotions": [],
    "totals": null,
    "delivery": null,
    "pricing": {
     "state": "UNPRICED",
     "priced_at": null,
     "expires_at": null
    },
    "credit": null,
    "warnings": [],
    "order_id": null,
    "created_at": "2026-11-25T13:06:59.556Z",
    "updated_at": "2026-11-25T13:06:59.562Z",
    "expires_at": "2026-12-25T13:06:59.562Z",
    "errors": []
   }
  },
  {
   "method": "POST",
   "path": "/v1/carts/*/price",
   "status": 200,
   "headers": {
    "forecourt-complete": "true",
    "x-request-id": "Q3TripMJSk-o",
    "x-service-mode": "sandbox"
   },
   "body": {
    "cart_id": "cart_cGjcArnN4siO5DBsL5oESy",
    "state": "ACTIVE",
    "version": 2,
    "currency": "JMD",
    "lines": [
     {
      "line_id": "line_qFOdYLXKYg0T",
      "sku": "BP-1001",
      "name": "Front Brake Pad Set, Honda CR-V 2012-2016, Heavy Duty",
      "thumb_url": "https://forecourt.example/media/pads-1-thumb.webp",
      "quantity": 1,
      "uom": "set",
      "order_uom": null,
      "order_quantity": null,
      "band": "IN_STOCK",
      "unit_price": {
       "amount": "5445.44",
       "currency": "JMD"
      },
      "list_unit_price": {
       "amount": "6188.00",
       "currency": "JMD"
      },
      "discount": {
       "amount": "0.00",
       "currency": "JMD"
      },
      "tax": {
       "amount": "816.82",
       "currency": "JMD"
      },
      "line_total": {
       "amount": "6262.26",
       "currency": "JMD"
      }
     }
    ],
    "item_count": 1,
    "promotions": [],
    "totals": {
     "subtotal": {
      "amount": "5445.44",
      "currency": "JMD"
     },
     "discount_total": {
      "amount": "0.00",
      "currency": "JMD"
     },
     "tax_total": {
      "amount": "816.82",
      "currency": "JMD"
     },
     "shipping_total": {
      "amount": "0.00",
      "currency": "JMD"
     },
     "total": {
      "amount": "6262.26",
      "currency": "JMD"
     },
     "taxes": [
      {
       "code": "GCT",
       "name": "General Consumption Tax",
       "rate": "0.15",
       "base": {
        "amount": "5445.44",
        "currency": "JMD"
       },
       "amount": {
        "amount": "816.82",
        "currency": "JMD"
       }
      }
     ],
     "tax_included": false
    },
    "delivery": null,
    "pricing": {
     "state": "PRICED",
     "priced_at": "2026-11-25T13:06:59.579Z",
     "expires_at": "2026-11-25T13:21:59.579Z"
    },
    "credit": {
     "enabled": true,
     "would_exceed": false,
     "shortfall": null,
     "available_credit": {
      "amount": "303915.59",
      "currency": "JMD"
     },
     "as_of": "2026-11-25T13:06:59.577Z"
    },
    "warnings": [],
    "order_id": null,
    "created_at": "2026-11-25T13:06:59.556Z",
    "updated_at": "2026-11-25T13:06:59.562Z",
    "expires_at": "2026-12-25T13:06:59.562Z",
    "errors": []
   }
  },
  {
   "method": "POST",
   "path": "/v1/checkout",
   "status": 409,
   "headers": {
    "x-request-id": "Q3TripMJSk-p",
    "x-service-mode": "sandbox"
   },
   "body": {
    "type": "about:blank",
    "title": "Conflict",
    "status": 409,
    "detail": "The total is higher than expected_total. Show the cart to the shopper again.",
    "code": "price_changed",
    "request_id": "Q3TripMJSk-p",
    "cart": {
     "cart_id": "cart_cGjcArnN4siO5DBsL5oESy",
     "state": "ACTIVE",
     "version": 2,
     "currency": "JMD",
     "lines": [
      {
       "line_id": "line_qFOdYLXKYg0T",
       "sku": "BP-1001",
       "name": "Front Brake Pad Set, Honda CR-V 2012-2016, Heavy Duty",
       "thumb_url": "https://forecourt.example/media/pads-1-thumb.webp",
       "quantity": 1,
       "uom": "set",
       "order_uom": null,
       "order_quantity": null,
       "band": "IN_STOCK",
       "unit_price": {
        "amount": "5445.44",
        "currency": "JMD"
       },
       "list_unit_price": {
        "amount": "6188.00",
        "currency": "JMD"
       },
       "discount": {
        "amount": "0.00",
        "currency": "JMD"
       },
       "tax": {
        "amount": "816.82",
        "currency": "JMD"
       },
       "line_total": {
        "amount": "6262.26",
        "currency": "JMD"
       }
      }
     ],
     "item_count": 1,
     "promotions": [],
     "totals": {
      "subtotal": {
       "amount": "5445.44",
       "currency": "JMD"
      },
      "discount_total": {
       "amount": "0.00",
       "currency": "JMD"
      },
      "tax_total": {
       "amount": "816.82",
       "currency": "JMD"
      },
      "shipping_total": {
       "amount": "0.00",
       "currency": "JMD"
      },
      "total": {
       "amount": "6262.26",
       "currency": "JMD"
      },
      "taxes": [
       {
        "code": "GCT",
        "name": "General Consumption Tax",
        "rate": "0.15",
        "base": {
         "amount": "5445.44",
         "currency": "JMD"
        },
        "amount": {
         "amount": "816.82",
         "currency": "JMD"
        }
       }
      ],
      "tax_included": false
     },
     "delivery": null,
     "pricing": {
      "state": "PRICED",
      "priced_at": "2026-11-25T13:06:59.615Z",
      "expires_at": "2026-11-25T13:21:59.615Z"
     },
     "credit": {
      "enabled": true,
      "would_exceed": false,
      "shortfall": null,
      "available_credit": {
       "amount": "303915.59",
       "currency": "JMD"
      },
      "as_of": "2026-11-25T13:06:59.616Z"
     },
     "warnings": [],
     "order_id": null,
     "created_at": "2026-11-25T13:06:59.556Z",
     "updated_at": "2026-11-25T13:06:59.562Z",
     "expires_at": "2026-12-25T13:06:59.562Z",
     "errors": []
    }
   }
  }
 ],
 "line_unavailable": [
  {
   "method": "POST",
   "path": "/v1/shoppers/login",
   "status": 200,
   "headers": {
    "x-request-id": "Q3TripMJSk-q",
    "x-service-mode": "sandbox"
   },
   "body": {
    "shopper_token": "recorded-shopper_token",
    "token_type": "Shopper",
    "expires_at": "2026-11-25T14:06:59.745Z",
    "expires_in": 3599,
    "refresh_token": "recorded-refresh_token",
    "refresh_expires_at": "2026-12-25T13:06:59.745Z",
    "device_token": "recorded-device_token",
    "customer": {
     "customer_id": "C-1001",
     "account_number": "70010",
     "email": "parts@mobay-garage.example",
     "first_name": null,
     "last_name": null,
     "company": "MoBay Garage",
     "phone": "+18765550100",
     "customer_type": "BUSINESS",
     "status": "ACTIVE",
     "currency": "JMD",
     "payment_methods": [
      "CREDIT_TERMS",
      "CASH_ON_DELIVERY"
     ],
     "addresses": [
      {
       "address_id": "C-1001-1",
       "is_default": true,
       "line1": "12 Harbour Street",
       "line2": null,
       "city": "St. James",
       "region": "St. James",
       "postal_code": null,
       "country": "JM",
       "source": "ACCOUNT"
      },
      {
       "address_id": "C-1001-2",
       "is_default": false,
       "line1": "Warehouse, 12 Harbour Street",
       "line2": null,
       "city": "St. James",
       "region": "St. James",
       "postal_code": null,
       "country": "JM",
       "source": "ACCOUNT"
      }
     ],
     "created_at": "2025-10-21T13:06:48.830Z",
     "errors": []
    },
    "errors": []
   }
  },
  {
   "method": "POST",
   "path": "/v1/carts",
   "status": 201,
   "headers": {
    "forecourt-complete": "true",
    "x-request-id": "Q3TripMJSk-r",
    "x-service-mode": "sandbox"
   },
   "body": {
    "cart_id": "cart_3gA2dJZntcaaLgv1ZnTGi7",
    "state": "ACTIVE",
    "version": 1,
    "currency": "JMD",
    "lines": [],
    "item_count": 0,
    "promotions": [],
    "totals": null,
    "delivery": null,
    "pricing": {
     "state": "UNPRICED",
     "priced_at": null,
     "expires_at": null
    },
    "credit": null,
    "warnings": [],
    "order_id": null,
    "created_at": "2026-11-25T13:06:59.766Z",
    "updated_at": "2026-11-25T13:06:59.766Z",
    "expires_at": "2026-12-25T13:06:59.766Z",
    "errors": []
   }
  },
  {
   "method": "POST",
   "path": "/v1/carts/*/lines",
   "status": 200,
   "headers": {
    "forecourt-complete": "true",
    "x-request-id": "Q3TripMJSk-s",
    "x-service-mode": "sandbox"
   },
   "body": {
    "cart_id": "cart_3gA2dJZntcaaLgv1ZnTGi7",
    "state": "ACTIVE",
    "version": 2,
    "currency": "JMD",
    "lines": [
     {
      "line_id": "line_AqNWwd72hVJj",
      "sku": "BP-1003",
      "name": "Rear Brake Pad Set, Hyundai Elantra 2001-2006, OE Quality",
      "thumb_url": "https://forecourt.example/media/pads-1-thumb.webp",
      "quantity": 1,
      "uom": "set",
      "order_uom": null,
      "order_quantity": null,
      "band": "OUT",
      "unit_price": null,
      "list_unit_price": null,
      "discount": null,
      "tax": null,
      "line_total": null
     }
    ],
    "item_count": 1,
    "promotions": [],
    "totals": null,
    "delivery": null,
    "pricing": {
     "state": "UNPRICED",
     "priced_at": null,
     "expires_at": null
    },
    "credit": null,
    "warnings": [
     {
      "code": "OUT_OF_STOCK",
      "line_id": "line_AqNWwd72hVJj",
      "message": "This product is out of stock."
     }
    ],
    "order_id": null,
    "created_at": "2026-11-25T13:06:59.766Z",
    "updated_at": "2026-11-25T13:06:59.770Z",
    "expires_at": "2026-12-25T13:06:59.770Z",
    "errors": []
   }
  },
  {
   "method": "POST",
   "path": "/v1/carts/*/price",
   "status": 200,
   "headers": {
    "forecourt-complete": "true",
    "x-request-id": "Q3TripMJSk-t",
    "x-service-mode": "sandbox"
   },
   "body": {
    "cart_id": "cart_3gA2dJZntcaaLgv1ZnTGi7",
    "state": "ACTIVE",
    "version": 2,
    "currency": "JMD",
    "lines": [
     {
      "line_id": "line_AqNWwd72hVJj",
      "sku": "BP-1003",
      "name": "Rear Brake Pad Set, Hyundai Elantra 2001-2006, OE Quality",
      "thumb_url": "https://forecourt.example/media/pads-1-thumb.webp",
      "quantity": 1,
      "uom": "set",
      "order_uom": null,
      "order_quantity": null,
      "band": "OUT",
      "unit_price": {
       "amount": "7240.64",
       "currency": "JMD"
      },
      "list_unit_price": {
       "amount": "8228.00",
       "currency": "JMD"
      },
      "discount": {
       "amount": "0.00",
       "currency": "JMD"
      },
      "tax": {
       "amount": "1086.10",
       "currency": "JMD"
      },
      "line_total": {
       "amount": "8326.74",
       "currency": "JMD"
      }
     }
    ],
    "item_count": 1,
    "promotions": [],
    "totals": {
     "subtotal": {
      "amount": "7240.64",
      "currency": "JMD"
     },
     "discount_total": {
      "amount": "0.00",
      "currency": "JMD"
     },
     "tax_total": {
      "amount": "1086.10",
      "currency": "JMD"
     },
     "shipping_total": {
      "amount": "0.00",
      "currency": "JMD"
     },
     "total": {
      "amount": "8326.74",
      "currency": "JMD"
     },
     "taxes": [
      {
       "code": "GCT",
       "name": "General Consumption Tax",
       "rate": "0.15",
       "base": {
        "amount": "7240.64",
        "currency": "JMD"
       },
       "amount": {
        "amount": "1086.10",
        "currency": "JMD"
       }
      }
     ],
     "tax_included": false
    },
    "delivery": null,
    "pricing": {
     "state": "PRICED",
     "priced_at": "2026-11-25T13:06:59.777Z",
     "expires_at": "2026-11-25T13:21:59.777Z"
    },
    "credit": {
     "enabled": true,
     "would_exceed": false,
     "shortfall": null,
     "available_credit": {
      "amount": "303915.59",
      "currency": "JMD"
     },
     "as_of": "2026-11-25T13:06:59.775Z"
    },
    "warnings": [
     {
      "code": "OUT_OF_STOCK",
      "line_id": "line_AqNWwd72hVJj",
      "message": "This product is out of stock."
     }
    ],
    "order_id": null,
    "created_at": "2026-11-25T13:06:59.766Z",
    "updated_at": "2026-11-25T13:06:59.770Z",
    "expires_at": "2026-12-25T13:06:59.770Z",
    "errors": []
   }
  },
  {
   "method": "POST",
   "path": "/v1/checkout",
   "status": 409,
   "headers": {
    "x-request-id": "Q3TripMJSk-u",
    "x-service-mode": "sandbox"
   },
   "body": {
    "type": "about:blank",
    "title": "Conflict",
    "status": 409,
    "detail": "A line of this cart is not available for sale. Remove the lines whose SKUs are in skus, and check out again.",
    "code": "line_unavailable",
    "request_id": "Q3TripMJSk-u",
    "skus": [
     "BP-1003"
    ]
   }
  }
 ]
}

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
    "x-request-id": "fpoSmFTI1o-1",
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
     "as_of": "2026-11-25T13:02:33.871Z"
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
      "number": "HO-60063-BP2012"
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
      "sku": "BP-1015",
      "name": "Rear Brake Pad Set, Honda CR-V 2012-2016, Eco",
      "relation": "OEM",
      "price": {
       "amount": "6936.00",
       "currency": "JMD",
       "price_type": "LIST",
       "list_amount": "6936.00",
       "tax_included": false,
       "uom": "set",
       "breaks": [],
       "as_of": "2026-11-25T13:02:29.308Z"
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
    "x-request-id": "fpoSmFTI1o-2",
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
     "as_of": "2026-11-25T13:02:33.871Z"
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
      "number": "HY-44805-BP2007"
     },
     {
      "kind": "CROSS",
      "brand": "Pikomoto",
      "number": "PK BP 111"
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
       "as_of": "2026-11-25T13:02:29.308Z"
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
    "x-request-id": "fpoSmFTI1o-3",
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
     "as_of": "2026-11-25T13:02:33.871Z"
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
      "number": "HY-10679-BP2001"
     },
     {
      "kind": "CROSS",
      "brand": "Señalux",
      "number": "SX BP 117"
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
    "x-request-id": "fpoSmFTI1o-4",
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
      "number": "FO-68730-BP2015"
     },
     {
      "kind": "OEM",
      "brand": "Nissan",
      "number": "NI-17008-BP2013"
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
       "as_of": "2026-11-25T13:02:31.763Z"
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
    "x-request-id": "fpoSmFTI1o-5",
    "x-service-mode": "sandbox"
   },
   "body": {
    "type": "about:blank",
    "title": "Not Found",
    "status": 404,
    "detail": "There is no such product. Send a sku as GET /v1/products lists it, in the same letter case.",
    "code": "not_found",
    "request_id": "fpoSmFTI1o-5"
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
    "x-request-id": "fpoSmFTI1o-6",
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
      "number": "HO-60063-BP2012"
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
      "sku": "BP-1015",
      "name": "Rear Brake Pad Set, Honda CR-V 2012-2016, Eco",
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
    "x-request-id": "fpoSmFTI1o-7",
    "x-service-mode": "sandbox"
   },
   "body": {
    "type": "about:blank",
    "title": "Service Unavailable",
    "status": 503,
    "detail": "An upstream system cannot be reached.",
    "code": "downstream_unavailable",
    "request_id": "fpoSmFTI1o-7"
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
    "x-request-id": "fpoSmFTI1o-8",
    "x-service-mode": "sandbox"
   },
   "body": {
    "data": [
     {
      "sku": "RD-1010",
      "name": "Radiator, Honda Civic 1998-2000, OE Quality",
      "slug": "radiator-honda-civic-1998-2000-oe-quality-rd-1010",
      "brand": "Señalux",
      "mpn": "SX82317",
      "barcode": null,
      "price": {
       "amount": "45430.00",
       "currency": "JMD",
       "price_type": "LIST",
       "list_amount": "45430.00",
       "tax_included": false,
       "uom": "each",
       "breaks": [],
       "as_of": "2026-11-25T13:02:33.871Z"
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
       "media_id": "m10600-1",
       "position": 1,
       "alt": "Radiator, Honda Civic 1998-2000, OE Quality",
       "kind": "IMAGE",
       "width": 800,
       "height": 800,
       "thumb_url": "https://forecourt.example/media/radiator-1-thumb.webp",
       "large_url": "https://forecourt.example/media/radiator-1-large.webp"
      },
      "media": [
       {
        "media_id": "m10600-1",
        "position": 1,
        "alt": "Radiator, Honda Civic 1998-2000, OE Quality",
        "kind": "IMAGE",
        "width": 800,
        "height": 800,
        "thumb_url": "https://forecourt.example/media/radiator-1-thumb.webp",
        "large_url": "https://forecourt.example/media/radiator-1-large.webp"
       }
      ],
      "categories": [
       {
        "category_id": "131010",
        "name": "Radiators",
        "slug": "radiators"
       }
      ],
      "tags": [
       "oe-quality"
      ],
      "variant_of": null,
      "options": [],
      "uom": "each",
      "active": true,
      "updated_at": "2026-11-25T08:00:00.000Z"
     },
     {
      "sku": "DS-1016",
      "name": "Right Drive Shaft, Honda CR-V 2002-2006, Performance",
      "slug": "right-drive-shaft-honda-cr-v-2002-2006-performance-ds-1016",
      "brand": "Brükke",
      "mpn": "BK21739",
      "barcode": "2028907462569",
      "price": {
       "amount": "30832.00",
       "currency": "JMD",
       "price_type": "LIST",
       "list_amount": "30832.00",
       "tax_included": false,
       "uom": "each",
       "breaks": [
        {
         "min_quantity": "12",
         "amount": "29290.40"
        }
       ],
       "as_of": "2026-11-25T13:02:33.871Z"
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
       "media_id": "m10952-1",
       "position": 1,
       "alt": "Right Drive Shaft, Honda CR-V 2002-2006, Performance",
       "kind": "IMAGE",
       "width": 800,
       "height": 800,
       "thumb_url": "https://forecourt.example/media/shaft-1-thumb.webp",
       "large_url": "https://forecourt.example/media/shaft-1-large.webp"
      },
      "media": [
       {
        "media_id": "m10952-1",
        "position": 1,
        "alt": "Right Drive Shaft, Honda CR-V 2002-2006, Performance",
        "kind": "IMAGE",
        "width": 800,
        "height": 800,
        "thumb_url": "https://forecourt.example/media/shaft-1-thumb.webp",
        "large_url": "https://forecourt.example/media/shaft-1-large.webp"
       }
      ],
      "categories": [
       {
        "category_id": "151011",
        "name": "Drive Shafts",
        "slug": "drive-shafts"
       }
      ],
      "tags": [
       "performance"
      ],
      "variant_of": null,
      "options": [],
      "uom": "each",
      "active": true,
      "updated_at": "2026-11-25T09:00:00.000Z"
     },
     {
      "sku": "BF-1003",
      "name": "Brake Fluid DOT 4 Small, OE Quality",
      "slug": "brake-fluid-dot-4-small-oe-quality-bf-1003",
      "brand": "Tamaro",
      "mpn": "TM26839",
      "barcode": "2023913822338",
      "price": {
       "amount": "1551.50",
       "currency": "JMD",
       "price_type": "LIST",
       "list_amount": "1551.50",
       "tax_included": false,
       "uom": "bottle",
       "breaks": [],
       "as_of": "2026-11-25T13:02:33.871Z"
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
       "media_id": "m10159-1",
       "position": 1,
       "alt": "Brake Fluid DOT 4 Small, OE Quality",
       "kind": "IMAGE",
       "width": 800,
       "height": 800,
       "thumb_url": "https://forecourt.example/media/bottle-1-thumb.webp",
       "large_url": "https://forecourt.example/media/bottle-1-large.webp"
      },
      "media": [
       {
        "media_id": "m10159-1",
        "position": 1,
        "alt": "Brake Fluid DOT 4 Small, OE Quality",
        "kind": "IMAGE",
        "width": 800,
        "height": 800,
        "thumb_url": "https://forecourt.example/media/bottle-1-thumb.webp",
        "large_url": "https://forecourt.example/media/bottle-1-large.webp"
       },
       {
        "media_id": "m10159-2",
        "position": 2,
        "alt": null,
        "kind": "IMAGE",
        "width": 800,
        "height": 800,
        "thumb_url": "https://forecourt.example/media/bottle-2-thumb.webp",
        "large_url": "https://forecourt.example/media/bottle-2-large.webp"
       }
      ],
      "categories": [
       {
        "category_id": "101212",
        "name": "Brake Fluid",
        "slug": "brake-fluid"
       }
      ],
      "tags": [
       "oe-quality",
       "service-part"
      ],
      "variant_of": null,
      "options": [],
      "uom": "bottle",
      "active": true,
      "updated_at": "2026-11-25T11:00:00.000Z"
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
    "x-request-id": "fpoSmFTI1o-9",
    "x-service-mode": "sandbox"
   },
   "body": {
    "data": [
     {
      "sku": "RD-1010",
      "name": "Radiator, Honda Civic 1998-2000, OE Quality",
      "slug": "radiator-honda-civic-1998-2000-oe-quality-rd-1010",
      "brand": "Señalux",
      "mpn": "SX82317",
      "barcode": null,
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
       "media_id": "m10600-1",
       "position": 1,
       "alt": "Radiator, Honda Civic 1998-2000, OE Quality",
       "kind": "IMAGE",
       "width": 800,
       "height": 800,
       "thumb_url": "https://forecourt.example/media/radiator-1-thumb.webp",
       "large_url": "https://forecourt.example/media/radiator-1-large.webp"
      },
      "media": [
       {
        "media_id": "m10600-1",
        "position": 1,
        "alt": "Radiator, Honda Civic 1998-2000, OE Quality",
        "kind": "IMAGE",
        "width": 800,
        "height": 800,
        "thumb_url": "https://forecourt.example/media/radiator-1-thumb.webp",
        "large_url": "https://forecourt.example/media/radiator-1-large.webp"
       }
      ],
      "categories": [
       {
        "category_id": "131010",
        "name": "Radiators",
        "slug": "radiators"
       }
      ],
      "tags": [
       "oe-quality"
      ],
      "variant_of": null,
      "options": [],
      "uom": "each",
      "active": true,
      "updated_at": "2026-11-25T08:00:00.000Z"
     },
     {
      "sku": "DS-1016",
      "name": "Right Drive Shaft, Honda CR-V 2002-2006, Performance",
      "slug": "right-drive-shaft-honda-cr-v-2002-2006-performance-ds-1016",
      "brand": "Brükke",
      "mpn": "BK21739",
      "barcode": "2028907462569",
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
       "media_id": "m10952-1",
       "position": 1,
       "alt": "Right Drive Shaft, Honda CR-V 2002-2006, Performance",
       "kind": "IMAGE",
       "width": 800,
       "height": 800,
       "thumb_url": "https://forecourt.example/media/shaft-1-thumb.webp",
       "large_url": "https://forecourt.example/media/shaft-1-large.webp"
      },
      "media": [
       {
        "media_id": "m10952-1",
        "position": 1,
        "alt": "Right Drive Shaft, Honda CR-V 2002-2006, Performance",
        "kind": "IMAGE",
        "width": 800,
        "height": 800,
        "thumb_url": "https://forecourt.example/media/shaft-1-thumb.webp",
        "large_url": "https://forecourt.example/media/shaft-1-large.webp"
       }
      ],
      "categories": [
       {
        "category_id": "151011",
        "name": "Drive Shafts",
        "slug": "drive-shafts"
       }
      ],
      "tags": [
       "performance"
      ],
      "variant_of": null,
      "options": [],
      "uom": "each",
      "active": true,
      "updated_at": "2026-11-25T09:00:00.000Z"
     },
     {
      "sku": "BF-1003",
      "name": "Brake Fluid DOT 4 Small, OE Quality",
      "slug": "brake-fluid-dot-4-small-oe-quality-bf-1003",
      "brand": "Tamaro",
      "mpn": "TM26839",
      "barcode": "2023913822338",
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
       "media_id": "m10159-1",
       "position": 1,
       "alt": "Brake Fluid DOT 4 Small, OE Quality",
       "kind": "IMAGE",
       "width": 800,
       "height": 800,
       "thumb_url": "https://forecourt.example/media/bottle-1-thumb.webp",
       "large_url": "https://forecourt.example/media/bottle-1-large.webp"
      },
      "media": [
       {
        "media_id": "m10159-1",
        "position": 1,
        "alt": "Brake Fluid DOT 4 Small, OE Quality",
        "kind": "IMAGE",
        "width": 800,
        "height": 800,
        "thumb_url": "https://forecourt.example/media/bottle-1-thumb.webp",
        "large_url": "https://forecourt.example/media/bottle-1-large.webp"
       },
       {
        "media_id": "m10159-2",
        "position": 2,
        "alt": null,
        "kind": "IMAGE",
        "width": 800,
        "height": 800,
        "thumb_url": "https://forecourt.example/media/bottle-2-thumb.webp",
        "large_url": "https://forecourt.example/media/bottle-2-large.webp"
       }
      ],
      "categories": [
       {
        "category_id": "101212",
        "name": "Brake Fluid",
        "slug": "brake-fluid"
       }
      ],
      "tags": [
       "oe-quality",
       "service-part"
      ],
      "variant_of": null,
      "options": [],
      "uom": "bottle",
      "active": true,
      "updated_at": "2026-11-25T11:00:00.000Z"
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
    "x-request-id": "fpoSmFTI1o-a",
    "x-service-mode": "sandbox"
   },
   "body": {
    "shopper_token": "recorded-shopper_token",
    "token_type": "Shopper",
    "expires_at": "2026-11-25T14:03:08.623Z",
    "expires_in": 3599,
    "refresh_token": "recorded-refresh_token",
    "refresh_expires_at": "2026-12-25T13:03:08.623Z",
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
     "created_at": "2025-10-21T13:02:25.708Z",
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
    "x-request-id": "fpoSmFTI1o-b",
    "x-service-mode": "sandbox"
   },
   "body": {
    "cart_id": "cart_cjPleMDC8X8vFZbeVx42XS",
    "state": "ACTIVE",
    "version": 1,
    "currency": "JMD",
    "lines": [],
    "item_count": 0,
    "promotions": [],
    "totals": null,
    "pricing": {
     "state": "UNPRICED",
     "priced_at": null,
     "expires_at": null
    },
    "credit": null,
    "warnings": [],
    "order_id": null,
    "created_at": "2026-11-25T13:03:08.664Z",
    "updated_at": "2026-11-25T13:03:08.664Z",
    "expires_at": "2026-12-25T13:03:08.664Z",
    "errors": []
   }
  },
  {
   "method": "POST",
   "path": "/v1/carts/*/lines",
   "status": 200,
   "headers": {
    "forecourt-complete": "true",
    "x-request-id": "fpoSmFTI1o-c",
    "x-service-mode": "sandbox"
   },
   "body": {
    "cart_id": "cart_cjPleMDC8X8vFZbeVx42XS",
    "state": "ACTIVE",
    "version": 2,
    "currency": "JMD",
    "lines": [
     {
      "line_id": "line_nj9jl9OlCS7R",
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
    "pricing": {
     "state": "UNPRICED",
     "priced_at": null,
     "expires_at": null
    },
    "credit": null,
    "warnings": [],
    "order_id": null,
    "created_at": "2026-11-25T13:03:08.664Z",
    "updated_at": "2026-11-25T13:03:08.693Z",
    "expires_at": "2026-12-25T13:03:08.693Z",
    "errors": []
   }
  },
  {
   "method": "POST",
   "path": "/v1/carts/*/price",
   "status": 200,
   "headers": {
    "forecourt-complete": "true",
    "x-request-id": "fpoSmFTI1o-d",
    "x-service-mode": "sandbox"
   },
   "body": {
    "cart_id": "cart_cjPleMDC8X8vFZbeVx42XS",
    "state": "ACTIVE",
    "version": 2,
    "currency": "JMD",
    "lines": [
     {
      "line_id": "line_nj9jl9OlCS7R",
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
    "pricing": {
     "state": "PRICED",
     "priced_at": "2026-11-25T13:03:08.771Z",
     "expires_at": "2026-11-25T13:18:08.771Z"
    },
    "credit": {
     "enabled": true,
     "would_exceed": false,
     "shortfall": null,
     "available_credit": {
      "amount": "310177.85",
      "currency": "JMD"
     },
     "as_of": "2026-11-25T13:03:08.726Z"
    },
    "warnings": [],
    "order_id": null,
    "created_at": "2026-11-25T13:03:08.664Z",
    "updated_at": "2026-11-25T13:03:08.693Z",
    "expires_at": "2026-12-25T13:03:08.693Z",
    "errors": []
   }
  },
  {
   "method": "POST",
   "path": "/v1/checkout",
   "status": 200,
   "headers": {
    "x-request-id": "fpoSmFTI1o-e",
    "x-service-mode": "sandbox"
   },
   "body": {
    "state": "placed",
    "cart_id": "cart_cjPleMDC8X8vFZbeVx42XS",
    "order_id": "ord_r2Wvu71uy2CS9k4HsucfVy",
    "order_number": "SO-200001",
    "order": {
     "order_id": "ord_r2Wvu71uy2CS9k4HsucfVy",
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
     "placed_at": "2026-11-25T13:03:08.829Z",
     "updated_at": "2026-11-25T13:03:08.829Z",
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
       "at": "2026-11-25T13:03:08.829Z"
      },
      {
       "status": "CONFIRMED",
       "at": "2026-11-25T13:03:08.829Z"
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
    "x-request-id": "fpoSmFTI1o-f",
    "x-service-mode": "sandbox"
   },
   "body": {
    "order_id": "ord_r2Wvu71uy2CS9k4HsucfVy",
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
    "placed_at": "2026-11-25T13:03:08.829Z",
    "updated_at": "2026-11-25T13:03:08.829Z",
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
      "at": "2026-11-25T13:03:08.829Z"
     },
     {
      "status": "CONFIRMED",
      "at": "2026-11-25T13:03:08.829Z"
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
    "x-request-id": "fpoSmFTI1o-g",
    "x-service-mode": "sandbox"
   },
   "body": {
    "shopper_token": "recorded-shopper_token",
    "token_type": "Shopper",
    "expires_at": "2026-11-25T14:03:09.047Z",
    "expires_in": 3599,
    "refresh_token": "recorded-refresh_token",
    "refresh_expires_at": "2026-12-25T13:03:09.047Z",
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
     "created_at": "2024-12-20T13:02:25.708Z",
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
    "x-request-id": "fpoSmFTI1o-h",
    "x-service-mode": "sandbox"
   },
   "body": {
    "cart_id": "cart_S91szp8Vd9424x81e5Tc2g",
    "state": "ACTIVE",
    "version": 1,
    "currency": "JMD",
    "lines": [],
    "item_count": 0,
    "promotions": [],
    "totals": null,
    "pricing": {
     "state": "UNPRICED",
     "priced_at": null,
     "expires_at": null
    },
    "credit": null,
    "warnings": [],
    "order_id": null,
    "created_at": "2026-11-25T13:03:09.059Z",
    "updated_at": "2026-11-25T13:03:09.059Z",
    "expires_at": "2026-12-25T13:03:09.059Z",
    "errors": []
   }
  },
  {
   "method": "POST",
   "path": "/v1/carts/*/lines",
   "status": 200,
   "headers": {
    "forecourt-complete": "true",
    "x-request-id": "fpoSmFTI1o-i",
    "x-service-mode": "sandbox"
   },
   "body": {
    "cart_id": "cart_S91szp8Vd9424x81e5Tc2g",
    "state": "ACTIVE",
    "version": 2,
    "currency": "JMD",
    "lines": [
     {
      "line_id": "line_AwtNeME2uI9L",
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
    "pricing": {
     "state": "UNPRICED",
     "priced_at": null,
     "expires_at": null
    },
    "credit": null,
    "warnings": [],
    "order_id": null,
    "created_at": "2026-11-25T13:03:09.059Z",
    "updated_at": "2026-11-25T13:03:09.063Z",
    "expires_at": "2026-12-25T13:03:09.063Z",
    "errors": []
   }
  },
  {
   "method": "POST",
   "path": "/v1/carts/*/price",
   "status": 200,
   "headers": {
    "forecourt-complete": "true",
    "x-request-id": "fpoSmFTI1o-j",
    "x-service-mode": "sandbox"
   },
   "body": {
    "cart_id": "cart_S91szp8Vd9424x81e5Tc2g",
    "state": "ACTIVE",
    "version": 2,
    "currency": "JMD",
    "lines": [
     {
      "line_id": "line_AwtNeME2uI9L",
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
    "pricing": {
     "state": "PRICED",
     "priced_at": "2026-11-25T13:03:09.074Z",
     "expires_at": "2026-11-25T13:18:09.074Z"
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
     "as_of": "2026-11-25T13:03:09.073Z"
    },
    "warnings": [],
    "order_id": null,
    "created_at": "2026-11-25T13:03:09.059Z",
    "updated_at": "2026-11-25T13:03:09.063Z",
    "expires_at": "2026-12-25T13:03:09.063Z",
    "errors": []
   }
  },
  {
   "method": "POST",
   "path": "/v1/checkout",
   "status": 200,
   "headers": {
    "x-request-id": "fpoSmFTI1o-k",
    "x-service-mode": "sandbox"
   },
   "body": {
    "state": "over_credit_limit",
    "cart_id": "cart_S91szp8Vd9424x81e5Tc2g",
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
     "as_of": "2026-11-25T13:03:09.084Z"
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
    "x-request-id": "fpoSmFTI1o-l",
    "x-service-mode": "sandbox"
   },
   "body": {
    "shopper_token": "recorded-shopper_token",
    "token_type": "Shopper",
    "expires_at": "2026-11-25T14:03:09.169Z",
    "expires_in": 3599,
    "refresh_token": "recorded-refresh_token",
    "refresh_expires_at": "2026-12-25T13:03:09.169Z",
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
     "created_at": "2025-10-21T13:02:25.708Z",
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
    "x-request-id": "fpoSmFTI1o-m",
    "x-service-mode": "sandbox"
   },
   "body": {
    "cart_id": "cart_MJavTXgNvL9PSq4Na5lzmM",
    "state": "ACTIVE",
    "version": 1,
    "currency": "JMD",
    "lines": [],
    "item_count": 0,
    "promotions": [],
    "totals": null,
    "pricing": {
     "state": "UNPRICED",
     "priced_at": null,
     "expires_at": null
    },
    "credit": null,
    "warnings": [],
    "order_id": null,
    "created_at": "2026-11-25T13:03:09.175Z",
    "updated_at": "2026-11-25T13:03:09.175Z",
    "expires_at": "2026-12-25T13:03:09.175Z",
    "errors": []
   }
  },
  {
   "method": "POST",
   "path": "/v1/carts/*/lines",
   "status": 200,
   "headers": {
    "forecourt-complete": "true",
    "x-request-id": "fpoSmFTI1o-n",
    "x-service-mode": "sandbox"
   },
   "body": {
    "cart_id": "cart_MJavTXgNvL9PSq4Na5lzmM",
    "state": "ACTIVE",
    "version": 2,
    "currency": "JMD",
    "lines": [
     {
      "line_id": "line_YrwKeRNz1Qaz",
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
    "pricing": {
     "state": "UNPRICED",
     "priced_at": null,
     "expires_at": null
    },
    "credit": null,
    "warnings": [],
    "order_id": null,
    "created_at": "2026-11-25T13:03:09.175Z",
    "updated_at": "2026-11-25T13:03:09.180Z",
    "expires_at": "2026-12-25T13:03:09.180Z",
    "errors": []
   }
  },
  {
   "method": "POST",
   "path": "/v1/carts/*/price",
   "status": 200,
   "headers": {
    "forecourt-complete": "true",
    "x-request-id": "fpoSmFTI1o-o",
    "x-service-mode": "sandbox"
   },
   "body": {
    "cart_id": "cart_MJavTXgNvL9PSq4Na5lzmM",
    "state": "ACTIVE",
    "version": 2,
    "currency": "JMD",
    "lines": [
     {
      "line_id": "line_YrwKeRNz1Qaz",
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
    "pricing": {
     "state": "PRICED",
     "priced_at": "2026-11-25T13:03:09.232Z",
     "expires_at": "2026-11-25T13:18:09.232Z"
    },
    "credit": {
     "enabled": true,
     "would_exceed": false,
     "shortfall": null,
     "available_credit": {
      "amount": "303915.59",
      "currency": "JMD"
     },
     "as_of": "2026-11-25T13:03:09.231Z"
    },
    "warnings": [],
    "order_id": null,
    "created_at": "2026-11-25T13:03:09.175Z",
    "updated_at": "2026-11-25T13:03:09.180Z",
    "expires_at": "2026-12-25T13:03:09.180Z",
    "errors": []
   }
  },
  {
   "method": "POST",
   "path": "/v1/checkout",
   "status": 409,
   "headers": {
    "x-request-id": "fpoSmFTI1o-p",
    "x-service-mode": "sandbox"
   },
   "body": {
    "type": "about:blank",
    "title": "Conflict",
    "status": 409,
    "detail": "The total is higher than expected_total. Show the cart to the shopper again.",
    "code": "price_changed",
    "request_id": "fpoSmFTI1o-p",
    "cart": {
     "cart_id": "cart_MJavTXgNvL9PSq4Na5lzmM",
     "state": "ACTIVE",
     "version": 2,
     "currency": "JMD",
     "lines": [
      {
       "line_id": "line_YrwKeRNz1Qaz",
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
     "pricing": {
      "state": "PRICED",
      "priced_at": "2026-11-25T13:03:09.242Z",
      "expires_at": "2026-11-25T13:18:09.242Z"
     },
     "credit": {
      "enabled": true,
      "would_exceed": false,
      "shortfall": null,
      "available_credit": {
       "amount": "303915.59",
       "currency": "JMD"
      },
      "as_of": "2026-11-25T13:03:09.243Z"
     },
     "warnings": [],
     "order_id": null,
     "created_at": "2026-11-25T13:03:09.175Z",
     "updated_at": "2026-11-25T13:03:09.180Z",
     "expires_at": "2026-12-25T13:03:09.180Z",
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
    "x-request-id": "fpoSmFTI1o-q",
    "x-service-mode": "sandbox"
   },
   "body": {
    "shopper_token": "recorded-shopper_token",
    "token_type": "Shopper",
    "expires_at": "2026-11-25T14:03:09.428Z",
    "expires_in": 3599,
    "refresh_token": "recorded-refresh_token",
    "refresh_expires_at": "2026-12-25T13:03:09.428Z",
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
     "created_at": "2025-10-21T13:02:25.708Z",
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
    "x-request-id": "fpoSmFTI1o-r",
    "x-service-mode": "sandbox"
   },
   "body": {
    "cart_id": "cart_09o4SO7xqsJqv6tR53Wu77",
    "state": "ACTIVE",
    "version": 1,
    "currency": "JMD",
    "lines": [],
    "item_count": 0,
    "promotions": [],
    "totals": null,
    "pricing": {
     "state": "UNPRICED",
     "priced_at": null,
     "expires_at": null
    },
    "credit": null,
    "warnings": [],
    "order_id": null,
    "created_at": "2026-11-25T13:03:09.470Z",
    "updated_at": "2026-11-25T13:03:09.470Z",
    "expires_at": "2026-12-25T13:03:09.470Z",
    "errors": []
   }
  },
  {
   "method": "POST",
   "path": "/v1/carts/*/lines",
   "status": 200,
   "headers": {
    "forecourt-complete": "true",
    "x-request-id": "fpoSmFTI1o-s",
    "x-service-mode": "sandbox"
   },
   "body": {
    "cart_id": "cart_09o4SO7xqsJqv6tR53Wu77",
    "state": "ACTIVE",
    "version": 2,
    "currency": "JMD",
    "lines": [
     {
      "line_id": "line_gLccC9MSYTcI",
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
    "pricing": {
     "state": "UNPRICED",
     "priced_at": null,
     "expires_at": null
    },
    "credit": null,
    "warnings": [
     {
      "code": "OUT_OF_STOCK",
      "line_id": "line_gLccC9MSYTcI",
      "message": "This product is out of stock."
     }
    ],
    "order_id": null,
    "created_at": "2026-11-25T13:03:09.470Z",
    "updated_at": "2026-11-25T13:03:09.584Z",
    "expires_at": "2026-12-25T13:03:09.584Z",
    "errors": []
   }
  },
  {
   "method": "POST",
   "path": "/v1/carts/*/price",
   "status": 200,
   "headers": {
    "forecourt-complete": "true",
    "x-request-id": "fpoSmFTI1o-t",
    "x-service-mode": "sandbox"
   },
   "body": {
    "cart_id": "cart_09o4SO7xqsJqv6tR53Wu77",
    "state": "ACTIVE",
    "version": 2,
    "currency": "JMD",
    "lines": [
     {
      "line_id": "line_gLccC9MSYTcI",
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
    "pricing": {
     "state": "PRICED",
     "priced_at": "2026-11-25T13:03:09.665Z",
     "expires_at": "2026-11-25T13:18:09.665Z"
    },
    "credit": {
     "enabled": true,
     "would_exceed": false,
     "shortfall": null,
     "available_credit": {
      "amount": "303915.59",
      "currency": "JMD"
     },
     "as_of": "2026-11-25T13:03:09.625Z"
    },
    "warnings": [
     {
      "code": "OUT_OF_STOCK",
      "line_id": "line_gLccC9MSYTcI",
      "message": "This product is out of stock."
     }
    ],
    "order_id": null,
    "created_at": "2026-11-25T13:03:09.470Z",
    "updated_at": "2026-11-25T13:03:09.584Z",
    "expires_at": "2026-12-25T13:03:09.584Z",
    "errors": []
   }
  },
  {
   "method": "POST",
   "path": "/v1/checkout",
   "status": 409,
   "headers": {
    "x-request-id": "fpoSmFTI1o-u",
    "x-service-mode": "sandbox"
   },
   "body": {
    "type": "about:blank",
    "title": "Conflict",
    "status": 409,
    "detail": "A line of this cart is not available for sale; see skus.",
    "code": "line_unavailable",
    "request_id": "fpoSmFTI1o-u",
    "skus": [
     "BP-1003"
    ]
   }
  }
 ]
}

<?php
// Receives webhooks: WEBHOOK_SECRET=whsec_… WEBHOOK_SEEN=/var/lib/shop/events php -S 127.0.0.1:8000 receiver.php

const TOLERANCE_SECONDS = 300;

/** Over the bytes as they came, before anything is parsed. */
function is_genuine(string $body): bool
{
    $key = base64_decode(str_replace('whsec_', '', getenv('WEBHOOK_SECRET')));
    $id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
    $timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    if (!ctype_digit($timestamp) || abs(time() - (int) $timestamp) > TOLERANCE_SECONDS) {
        return false;
    }
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $signature) {
        if (hash_equals($expected, $signature)) {
            return true;
        }
    }
    return false;
}

/** In earnest: a table with a unique column, written in the same transaction as what the event changes. */
function take(array $event): void
{
    $first = @fopen(getenv('WEBHOOK_SEEN') . '/' . basename($event['id']), 'x');
    if ($first === false) {
        return;
    }
    error_log("{$event['type']} {$event['resource']['id']} #{$event['sequence']}");
}

$body = file_get_contents('php://input');
if (!is_genuine($body)) {
    http_response_code(400);
    return;
}
take(json_decode($body, true));
http_response_code(204);

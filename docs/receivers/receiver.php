<?php
// Receives webhooks: WEBHOOK_SECRET=whsec_… WEBHOOK_SEEN=$HOME/webhook-events php -S 127.0.0.1:8000 receiver.php

const TOLERANCE_SECONDS = 300;
const MOST_BYTES = 1_048_576;

/** Decodes the signing secret. Refuses an empty key, because anybody could sign with it. */
function key_of(string $secret): string
{
    $key = base64_decode(substr($secret, strlen('whsec_')), true);
    if (!str_starts_with($secret, 'whsec_') || $key === false || $key === '') {
        throw new Exception('WEBHOOK_SECRET must be the signing secret: whsec_ and base64');
    }
    return $key;
}

/** Returns the folder of the received ids, and creates it if it does not exist. */
function folder(string $path): string
{
    if ($path === '' || (!is_dir($path) && !@mkdir($path, 0700, true) && !is_dir($path))) {
        throw new Exception('WEBHOOK_SEEN must be a folder that can be made or written to');
    }
    return $path;
}

/** Verifies the signature over the raw bytes of the body, before anything parses them. */
function is_genuine(string $body, string $key): bool
{
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

/** In production, use a table with a unique column, and write to it in the same transaction as the changes of the event. */
function take(array $event, string $folder): void
{
    $file = $folder . '/' . basename($event['id']);
    if (@fopen($file, 'x') !== false) {
        error_log("{$event['type']} {$event['resource']['id']} #{$event['sequence']}");
    } elseif (!is_file($file)) {
        throw new Exception("WEBHOOK_SEEN: $file cannot be written");
    }
}

function status(): int
{
    $key = key_of((string) getenv('WEBHOOK_SECRET'));
    $folder = folder((string) getenv('WEBHOOK_SEEN'));
    $body = file_get_contents('php://input', false, null, 0, MOST_BYTES + 1);
    $event = is_genuine($body, $key) ? json_decode($body, true) : null;
    if (!is_array($event)) {
        return 400;
    }
    take($event, $folder);
    return 204;
}

ini_set('display_errors', '0'); // A printed error would start the response, with status 200.
try {
    http_response_code(status());
} catch (Throwable $error) {
    error_log($error->getMessage());
    http_response_code(500);
}

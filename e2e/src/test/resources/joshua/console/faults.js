console.error('said', 1);
throw new Error('thrown');

"""The sandbox that the operating system puts around a process that reads what strangers sent."""
